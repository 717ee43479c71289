{{- define "plimsoll.proxyImage" -}}
{{- with .Values.proxy.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The file that compose.yaml mounts as it is, with the service beside it in the pod and the limit of the settings. */}}
{{- define "plimsoll.proxyConfiguration" -}}
{{- $most := int64 (default 4194304 .Values.settings.PLIMSOLL_MAX_BODY_BYTES) -}}
{{- .Files.Get "files/nginx.conf" | replace "plimsoll:8080" "127.0.0.1:8081" | replace "4194304" (toString $most) -}}
{{- end -}}
