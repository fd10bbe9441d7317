import type { ErrorCode } from '@tiwala/contract'

type Fields = Record<string, string>
type InvalidBody = {
  status: number
  error: ErrorCode
  what: string
  type?: string
  headers?: Record<string, string>
  body: (fields: Fields) => string[]
}

const BOUNDARY = 'between-two-parts'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`
const URLENCODED = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const OVER_16_KIB = 'x'.repeat(16 * 1024 + 1)
const HALF = 'x'.repeat(9 * 1024)

const part = (name: string, value: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const parts = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, value]) => part(name, value))
    .join('')
const END = `--${BOUNDARY}--\r\n`
const urlencoded = (fields: Fields) => new URLSearchParams(fields).toString()
const first = (fields: Fields) => Object.entries(fields)[0]!

const malformed = (what: string, type: string, body: InvalidBody['body']): InvalidBody => ({
  status: 400,
  error: 'malformed_request',
  what,
  type,
  body,
})
const tooLarge = (what: string, type: string, body: InvalidBody['body']): InvalidBody => ({
  status: 413,
  error: 'payload_too_large',
  what,
  type,
  body,
})

/** Bodies with the right fields that the server refuses. */
export const INVALID_BODIES: InvalidBody[] = [
  malformed('JSON that breaks off', JSON_TYPE, (fields) => [JSON.stringify(fields).slice(0, -1)]),
  malformed('multipart that breaks off before its last boundary', MULTIPART, (fields) => [parts(fields)]),
  malformed('multipart that breaks off within a header', MULTIPART, (fields) => [
    `${parts(fields)}--${BOUNDARY}\r\nContent-Dispo`,
  ]),
  malformed('multipart with a malformed header', MULTIPART, (fields) => [
    `${parts(fields)}--${BOUNDARY}\r\nnot a header\r\n\r\nx\r\n${END}`,
  ]),
  malformed('multipart that names no boundary', 'multipart/form-data', (fields) => [parts(fields) + END]),
  malformed(
    'multipart with another boundary than it names',
    'multipart/form-data; boundary=another',
    (fields) => [parts(fields) + END],
  ),
  malformed('a file beside the fields', MULTIPART, (fields) => [
    `${parts(fields)}${part('photo', 'x', '; filename="photo.txt"')}${END}`,
  ]),
  malformed('a file in place of a field', MULTIPART, (fields) => [
    `${part(...first(fields), '; filename="value.txt"')}${END}`,
  ]),
  malformed('a multipart field sent twice', MULTIPART, (fields) => [
    parts(fields) + part(...first(fields)) + END,
  ]),
  malformed('an urlencoded field sent twice', URLENCODED, (fields) => [
    `${urlencoded(fields)}&${new URLSearchParams([first(fields)]).toString()}`,
  ]),
  tooLarge('JSON over 16 KiB with Content-Length', JSON_TYPE, (fields) => [
    JSON.stringify({ ...fields, more: OVER_16_KIB }),
  ]),
  tooLarge('JSON over 16 KiB without Content-Length', JSON_TYPE, (fields) => [
    JSON.stringify({ ...fields, more: OVER_16_KIB }),
    ' ',
  ]),
  tooLarge('urlencoded over 16 KiB without Content-Length', URLENCODED, (fields) => [
    urlencoded({ ...fields, more: OVER_16_KIB }),
    '&',
  ]),
  tooLarge('multipart over 16 KiB with Content-Length', MULTIPART, (fields) => [
    parts({ ...fields, more: OVER_16_KIB }) + END,
  ]),
  tooLarge('multipart over 16 KiB in all without Content-Length', MULTIPART, (fields) => [
    parts({ ...fields, more: HALF }),
    parts({ another: HALF }),
    END,
  ]),
  tooLarge('urlencoded with more than 20 fields', URLENCODED, (fields) => [
    urlencoded({ ...fields, ...twenty() }),
  ]),
  tooLarge('multipart with more than 20 fields', MULTIPART, (fields) => [
    parts({ ...fields, ...twenty() }) + END,
  ]),
  {
    status: 415,
    error: 'unsupported_media_type',
    what: 'text/plain',
    type: 'text/plain',
    body: (fields) => [urlencoded(fields)],
  },
  {
    status: 415,
    error: 'unsupported_media_type',
    what: 'a body without a Content-Type',
    body: (fields) => [JSON.stringify(fields)],
  },
  {
    status: 415,
    error: 'unsupported_media_type',
    what: 'an unknown Content-Encoding',
    type: JSON_TYPE,
    headers: { 'Content-Encoding': 'compress' },
    body: (fields) => [JSON.stringify(fields)],
  },
]

const twenty = (): Fields =>
  Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field_${index}`, 'x']))

export const typeHeader = ({ type, headers }: InvalidBody): Record<string, string> => ({
  ...(type && { 'Content-Type': type }),
  ...headers,
})
