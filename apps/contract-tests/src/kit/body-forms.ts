type Fields = Record<string, string>

type Body = { body: FormData | URLSearchParams | string; headers?: Record<string, string> }

/** The content types in which an operation accepts its fields. */
export const BODY_FORMS: { type: string; init: (fields: Fields) => Body }[] = [
  { type: 'multipart/form-data', init: (fields: Fields) => ({ body: toFormData(fields) }) },
  {
    type: 'application/x-www-form-urlencoded',
    init: (fields: Fields) => ({ body: new URLSearchParams(fields) }),
  },
  { type: 'application/json', init: json },
]

/** A body of NDJSON. Its lines may be invalid. */
export const lines = (text: string) => ({ body: text, headers: { 'Content-Type': 'application/x-ndjson' } })

/** The body and its type: `raw` without a type, fields as JSON, `text` as NDJSON, or none. */
export function bodyOf(parts: { raw?: string; fields?: unknown; text?: string }): {
  body?: string
  headers?: Record<string, string>
} {
  if (parts.raw !== undefined) return { body: parts.raw }
  if (parts.fields) return json(parts.fields)
  return parts.text === undefined ? {} : lines(parts.text)
}

export function json(body: unknown): { body: string; headers: Record<string, string> } {
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

function toFormData(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
