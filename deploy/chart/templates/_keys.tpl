{{- define "plimsoll.keysEnv" -}}
{{- with .Values.apiKeys }}
{{- if .secret.name }}
- name: PLIMSOLL_API_KEYS
  value: /etc/plimsoll/keys/{{ .secret.key }}
{{- else }}
{{- if and (ne $.Values.service.type "ClusterIP") (not .open) -}}
{{- fail "apiKeys: a Service that is reached from outside the cluster wants a secret of keys, or open: true" -}}
{{- end }}
- name: PLIMSOLL_OPEN
  value: "1"
{{- end }}
{{- end }}
{{- end -}}

{{- define "plimsoll.keysMount" -}}
{{- if .Values.apiKeys.secret.name }}
- name: keys # the whole folder: a single file would not follow changes of the secret
  mountPath: /etc/plimsoll/keys
  readOnly: true
{{- end }}
{{- end -}}

{{- define "plimsoll.keysVolume" -}}
{{- with .Values.apiKeys.secret }}
{{- if .name }}
- name: keys
  secret:
    secretName: {{ .name }}
    defaultMode: 0440
{{- end }}
{{- end }}
{{- end -}}
