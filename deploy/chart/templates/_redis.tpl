{{- /* The URL, out of a secret or put together; the kubelet puts passwords in, so that no manifest holds one. */ -}}
{{- define "plimsoll.redisEnv" -}}
{{- with .Values.redis -}}
{{- if eq .mode "url" }}
- name: PLIMSOLL_REDIS_URL
  valueFrom:
    secretKeyRef:
      name: {{ .urlSecret.name }}
      key: {{ .urlSecret.key }}
{{- else if ne .mode "none" }}
{{- if .passwordSecret.name }}
- name: REDIS_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .passwordSecret.name }}
      key: {{ .passwordSecret.key }}
{{- end }}
{{- if and (eq .mode "sentinel") .sentinelPasswordSecret.name }}
- name: REDIS_SENTINEL_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .sentinelPasswordSecret.name }}
      key: {{ .sentinelPasswordSecret.key }}
{{- end }}
- name: PLIMSOLL_REDIS_URL
  value: {{ include "plimsoll.redisUrl" . | quote }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "plimsoll.redisUrl" -}}
{{- $scheme := ternary "rediss" "redis" .tls.enabled -}}
{{- if ne .mode "single" -}}{{- $scheme = printf "%s+%s" $scheme .mode -}}{{- end -}}
{{- $account := .username | urlquery -}}
{{- if .passwordSecret.name -}}{{- $account = printf "%s:$(REDIS_PASSWORD)" $account -}}{{- end -}}
{{- $path := "" -}}
{{- if eq .mode "single" -}}{{- $path = printf "/%d" (int .database) -}}{{- end -}}
{{- if eq .mode "sentinel" -}}{{- $path = printf "/%s/%d" (.service | urlquery) (int .database) -}}{{- end -}}
{{- $options := list -}}
{{- if and .tls.enabled .tls.caSecret.name -}}
{{- $options = append $options (printf "ssl_ca_certs=/etc/plimsoll/redis/%s" .tls.caSecret.key) -}}
{{- end -}}
{{- if and (eq .mode "sentinel") .sentinelPasswordSecret.name -}}
{{- $options = append $options "sentinel_password=$(REDIS_SENTINEL_PASSWORD)" -}}
{{- end -}}
{{ $scheme }}://{{ with $account }}{{ . }}@{{ end }}{{ join "," .addresses }}{{ $path }}{{ with $options }}?{{ join "&" . }}{{ end }}
{{- end -}}

{{- define "plimsoll.redisMount" -}}
{{- if include "plimsoll.redisAuthority" . }}
- name: redis-authority
  mountPath: /etc/plimsoll/redis
  readOnly: true
{{- end }}
{{- end -}}

{{- define "plimsoll.redisVolume" -}}
{{- if include "plimsoll.redisAuthority" . }}
- name: redis-authority
  secret:
    secretName: {{ .Values.redis.tls.caSecret.name }}
{{- end }}
{{- end -}}

{{- define "plimsoll.redisAuthority" -}}
{{- with .Values.redis -}}
{{- if and .tls.enabled .tls.caSecret.name }}true{{ end -}}
{{- end -}}
{{- end -}}

{{- define "plimsoll.redisEgress" -}}
{{- if ne .Values.redis.mode "none" }}
{{- $ports := list }}
{{- range .Values.networkPolicy.redisPorts }}{{ $ports = append $ports (toString .) }}{{ end }}
{{- range .Values.redis.addresses }}
{{- with regexFind ":[0-9]+$" . }}{{ $ports = append $ports (trimPrefix ":" .) }}{{ end }}
{{- end }}
- ports:
    {{- range uniq $ports }}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
  {{- with .Values.networkPolicy.redisTo }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "plimsoll.namesEgress" -}}
- ports:
    - {port: 53, protocol: UDP}
    - {port: 53, protocol: TCP}
{{- end -}}
