{{- define "plimsoll.termsVolume" -}}
{{- with .Values.terms -}}
{{- if gt (len (compact (list (ternary "inline" "" (not (empty .inline))) .configMap .secret))) 1 -}}
{{- fail "terms: state one of inline, configMap and secret" -}}
{{- end -}}
{{- if .secret }}
- name: terms
  secret:
    secretName: {{ .secret }}
{{- else if or .inline .configMap }}
- name: terms
  configMap:
    name: {{ default (printf "%s-terms" (include "plimsoll.fullname" $)) .configMap }}
{{- end }}
{{- end -}}
{{- end -}}
