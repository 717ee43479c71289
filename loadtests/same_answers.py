"""Comparison of the answers of two versions of the service: one is recorded, the other is compared with it.

python loadtests/same_answers.py record answers.jsonl.gz --number 2000
python loadtests/same_answers.py compare answers.jsonl.gz
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from questions import Question, questions

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

SHOWN = 12  # differences of which each is shown


def main() -> int:
    """Record or compare as the command line says, and return 1 if any answer differs."""
    arguments = _arguments()
    client = create_app(Settings(log_level="critical", answer_cache_bytes=0)).test_client()
    if arguments.act == "record":
        with gzip.open(arguments.file, "wt", encoding="utf-8", compresslevel=3) as file:
            for question in questions(arguments.number, arguments.seed):
                file.write(json.dumps({"question": asdict(question), "answer": answer(client, question)}) + "\n")
        return 0
    return compare(client, arguments.file, arguments.every)


def answer(client: FlaskClient, question: Question) -> dict[str, Any]:
    """Status, media type and content."""
    response = client.open(question.path, method=question.method, json=question.body)
    return {"status": response.status_code, "type": response.content_type, "body": response.text}


def compare(client: FlaskClient, recorded: Path, every: int) -> int:
    """Ask each recorded question again, and print the changes and their places."""
    asked, places, statuses = 0, Counter[str](), Counter[int]()
    changed = 0
    with gzip.open(recorded, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number % every:
                continue
            one = json.loads(line)
            asked += 1
            now = answer(client, Question(**one["question"]))
            statuses[now["status"]] += 1
            if now == one["answer"]:
                continue
            changed += 1
            found = list(differences(_read(one["answer"]), _read(now)))
            places.update({where for where, *_ in found})
            if changed <= SHOWN:
                print(number, json.dumps(one["question"])[:300])
                for where, before, after in found[:5]:
                    print(f"    {where}: {str(before)[:150]} -> {str(after)[:150]}")
    print(f"{asked - changed} of {asked} answers are the same bytes; statuses {dict(sorted(statuses.items()))}")
    for where, number in places.most_common(40):
        print(f"    {number:6} {where}")
    return int(changed > 0 or any(status >= 500 for status in statuses))


def differences(before: Any, after: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Each place at which two values differ; lists' places are written without their number."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            yield from differences(before.get(name), after.get(name), f"{where}/{name}")
        if list(before) != list(after) and before == after:
            yield f"{where} (order)", list(before), list(after)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for one, other in zip(before, after, strict=True):
            yield from differences(one, other, f"{where}/-")
    elif before != after:
        yield where, before, after


def _read(answer: dict[str, Any]) -> Any:
    """Return the answer with its parsed body, if that is JSON."""
    if answer["type"] and "json" in answer["type"]:
        return answer | {"body": json.loads(answer["body"])}
    return answer


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("act", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="ask one in so many of the recorded questions")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
