"""Code samples of an operation for languages without an SDK, each with its standard HTTP client."""

from __future__ import annotations

import re
from textwrap import indent

# A line that ends in a comment stands only in samples that send a body, that send a key alone, or that send neither
# (open).
_COMMENT = re.compile(r" //(body|key|open)(?: (body|key|open))?$")
_TEMPLATES = {
    "JavaScript": """
const response = await fetch(`${process.env.PLIMSOLL_URL}PATH`); //open
const response = await fetch(`${process.env.PLIMSOLL_URL}PATH`, { //body key
  method: "POST", //body
  headers: { //body key
    Authorization: `Bearer ${process.env.PLIMSOLL_API_KEY}`, //body key
    "Content-Type": "application/json", //body
  }, //body key
  body: JSON.stringify(BODY), //body
}); //body key
console.log(await response.text());
""",
    "Go": """
package main

import (
\t"io"
\t"net/http"
\t"os"
\t"strings" //body
)

func main() {
\tresponse, err := http.Get(os.Getenv("PLIMSOLL_URL") + "PATH") //open
\tbody := strings.NewReader(`BODY`) //body
\trequest, err := http.NewRequest("POST", os.Getenv("PLIMSOLL_URL")+"PATH", body) //body
\trequest, err := http.NewRequest("GET", os.Getenv("PLIMSOLL_URL")+"PATH", nil) //key
\tif err != nil { //body key
\t\tpanic(err) //body key
\t} //body key
\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("PLIMSOLL_API_KEY")) //body key
\trequest.Header.Set("Content-Type", "application/json") //body
\tresponse, err := http.DefaultClient.Do(request) //body key
\tif err != nil {
\t\tpanic(err)
\t}
\tdefer response.Body.Close()
\tio.Copy(os.Stdout, response.Body)
}
""",
    "Java": """
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Ask {
  public static void main(String[] arguments) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("PLIMSOLL_URL") + "PATH"))
        .header("Authorization", "Bearer " + System.getenv("PLIMSOLL_API_KEY")) //body key
        .header("Content-Type", "application/json") //body
        .POST(HttpRequest.BodyPublishers.ofString(\""" //body
            BODY //body
            \""")) //body
        .build();
    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(response.body());
  }
}
""",
    "C#": """
using System.Net.Http.Headers; //body key
 //body key
using var client = new HttpClient();
client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue( //body key
    "Bearer", Environment.GetEnvironmentVariable("PLIMSOLL_API_KEY")); //body key
var body = new StringContent(\""" //body
    BODY //body
    \"""); //body
body.Headers.ContentType = new MediaTypeHeaderValue("application/json"); //body
var address = Environment.GetEnvironmentVariable("PLIMSOLL_URL") + "PATH";
var response = await client.PostAsync(address, body); //body
var response = await client.GetAsync(address); //key open
Console.WriteLine(await response.Content.ReadAsStringAsync());
""",
    "Ruby": """
require "net/http"

uri = URI(ENV.fetch("PLIMSOLL_URL") + "PATH")
headers = { //body key
  "Authorization" => "Bearer " + ENV.fetch("PLIMSOLL_API_KEY"), //body key
  "Content-Type" => "application/json", //body
} //body key
body = <<~'JSON' //body
  BODY //body
JSON //body
response = Net::HTTP.post(uri, body, headers) //body
response = Net::HTTP.get_response(uri, headers) //key
response = Net::HTTP.get_response(uri) //open
puts response.body
""",
    "PHP": """
<?php
$headers = [ //body key
    "Authorization: Bearer " . getenv("PLIMSOLL_API_KEY"), //body key
    "Content-Type: application/json", //body
]; //body key
$body = <<<'JSON' //body
    BODY //body
    JSON; //body
$request = curl_init(getenv("PLIMSOLL_URL") . "PATH");
curl_setopt($request, CURLOPT_HTTPHEADER, $headers); //body key
curl_setopt($request, CURLOPT_POSTFIELDS, $body); //body
curl_exec($request);
""",
}


def http_samples(address: str, body: str | None, *, guarded: bool) -> list[dict[str, str]]:
    """The entries of ``x-codeSamples``; ``address`` is a path with its query, ``body`` is JSON."""
    kind = "body" if body else "key" if guarded else "open"
    return [
        {"lang": language, "label": language, "source": _filled(template, kind, address, body or "")}
        for language, template in _TEMPLATES.items()
    ]


def _filled(template: str, kind: str, address: str, body: str) -> str:
    lines = []
    for line in template.strip().splitlines():
        found = _COMMENT.search(line)
        if found is None or kind in found.groups():
            text = _COMMENT.sub("", line).replace("PATH", address)
            lead = text[: len(text) - len(text.lstrip())]
            lines.append(text.replace("BODY", indent(body, lead).strip()))
    return "\n".join(lines)
