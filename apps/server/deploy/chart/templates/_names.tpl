{{- define "tiwala.selector" -}}
app.kubernetes.io/name: tiwala
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tiwala.labels" -}}
{{ include "tiwala.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
