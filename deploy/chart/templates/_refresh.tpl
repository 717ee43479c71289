{{- define "plimsoll.refreshes" -}}
{{- if and .Values.priceRefresh.enabled (ne .Values.redis.mode "none") }}true{{ end -}}
{{- end -}}

{{- define "plimsoll.refreshArgs" -}}
{{- $args := list "prices" "refresh" "--cloud" .cloud -}}
{{- range .job.regions }}{{ $args = concat $args (list "--region" .) }}{{ end -}}
{{- with .job.url }}{{ $args = concat $args (list "--url" .) }}{{ end -}}
{{- range .job.exchangeRates }}{{ $args = concat $args (list "--exchange-rate" .) }}{{ end -}}
{{- with .job.ttlHours }}{{ $args = concat $args (list "--ttl" (toJson .)) }}{{ end -}}
{{- if .job.accept }}{{ $args = append $args "--accept" }}{{ end -}}
{{- toJson $args -}}
{{- end -}}

{{- define "plimsoll.refreshAccount" -}}
{{- with .Values.priceRefresh.serviceAccount -}}
{{- if .create -}}
{{ default (printf "%s-prices" (include "plimsoll.fullname" $)) .name }}
{{- else -}}
{{ default "default" .name }}
{{- end -}}
{{- end -}}
{{- end -}}
