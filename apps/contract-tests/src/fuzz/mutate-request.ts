// Builds one mutated request from a valid request, in three steps:
// 1. replace, drop or add some of its parts: method, path, query, credentials, headers, fields, framing;
// 2. write it as bytes;
// 3. garble the bytes of every fourth request, so that it may no longer be valid HTTP.
// Example: `mutateRequest('inquire', parts, createRandom(7))` returns the same request for the same seed.
import type { OperationId } from '@tiwala/contract'
import { locate } from '@tiwala/kit/operations'
import { chunked, requestText } from '@tiwala/server/testing-raw-http'
import { bodySchemaOf } from '../contract-check/documents.ts'
import type { RequestParts } from '../kit/valid-requests.ts'
import { HEADER_VALUES, HEADERS, METHODS, PATHS, TEXTS, TYPES, VALUES } from './request-parts.ts'
import type { Random } from './seeded-random.ts'

/**
 * `mayBeSilent`: the request may be incomplete, so that no response is correct. The sender closes its side
 * soon. `isDoubled`: the bytes hold two requests.
 */
export type MutatedRequest = { id: OperationId; bytes: Buffer; mayBeSilent: boolean; isDoubled: boolean }

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

export function mutateRequest(id: OperationId, parts: RequestParts, random: Random): MutatedRequest {
  const { text, isFramed } = writeRequest(id, parts, random)
  if (random.chance(0.75)) return { id, bytes: Buffer.from(text), mayBeSilent: !isFramed, isDoubled: false }
  const bytes = garble(text, random)
  const isDoubled = random.chance(0.1)
  return { id, bytes: isDoubled ? Buffer.concat([bytes, bytes]) : bytes, mayBeSilent: true, isDoubled }
}

/** `isFramed`: no mutation changed how the end of the request is found. */
function writeRequest(id: OperationId, parts: RequestParts, random: Random) {
  const { among, chance } = random
  const method = chance(0.93) ? locate(id).method : among(METHODS)
  const { content, type } = writeBody(id, parts, random)
  const inChunks = content !== '' && chance(0.2)
  const framing: Record<string, string | number> = !content
    ? {}
    : inChunks
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': Buffer.byteLength(content) }
  const oddHeader = chance(0.15) ? among(HEADERS) : ''
  const headers = {
    ...mutateHeaders(parts.headers, random),
    ...(content && chance(0.98) && { 'Content-Type': type }),
    ...framing,
    ...(oddHeader && { [oddHeader]: among(HEADER_VALUES) }),
  }
  const body = inChunks ? `${chunked(content)}0\r\n\r\n` : content
  const text = requestText(method, writeTarget(id, parts, random), headers, body)
  if (chance(0.03)) {
    const line = `${among(HEADERS)}: ${among(HEADER_VALUES)}`
    return { text: text.replace('\r\n', () => `\r\n${line}\r\n`), isFramed: false }
  }
  return { text, isFramed: !['Content-Length', 'Transfer-Encoding'].includes(oddHeader) }
}

function mutateHeaders(headers: Record<string, string>, { among, chance }: Random): Record<string, string> {
  if (chance(0.1)) return {}
  return Object.fromEntries(
    Object.entries(headers)
      .filter(() => chance(0.97))
      .map(([name, value]) => [name, chance(0.03) ? among(HEADER_VALUES) : value]),
  )
}

function writeTarget(id: OperationId, { path = {}, query }: RequestParts, random: Random): string {
  const { among, below, chance } = random
  const encode = (text: string) => (chance(0.7) ? encodeURIComponent(text.toWellFormed()) : text)
  const filled = locate(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    chance(0.2) ? encode(among(TEXTS)) : encodeURIComponent(path[name] ?? 'x'),
  )
  const twisted = chance(0.04) ? among(PATHS)(filled) : filled
  const entries = [...new URLSearchParams(query)]
    .filter(() => chance(0.95))
    .map(([name, value]) => [name, chance(0.15) ? among(TEXTS) : value] as const)
  const added = chance(0.15)
    ? Array.from({ length: 1 + below(3) }, () => [queryName(random), among(TEXTS)])
    : []
  const written = [...entries, ...added].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return (written ? `${twisted}?${written}` : twisted).replaceAll(/[^!-~]/g, '')
}

const queryName = ({ among }: Random) =>
  among(['tracking_no', 'qr_value', 'limit', 'state', 'cursor', 'from', 'checkpoint', ...TEXTS])

function mutateFields(fields: Record<string, unknown>, { among, chance }: Random): [string, unknown][] {
  const kept = Object.entries(fields).filter(() => chance(0.93))
  const added: [string, unknown][] = chance(0.1) ? [[among(TEXTS), among(VALUES)]] : []
  return [...kept, ...added].map(([name, value]) => [name, chance(0.12) ? among(VALUES) : value])
}

/** The content type mostly fits the body. */
function writeBody(id: OperationId, { fields, text }: RequestParts, random: Random) {
  const { among, below, chance } = random
  const fitting = TYPES.filter((each) => bodySchemaOf(id, each.split(';')[0]!))
  const type = fitting.length > 0 && chance(0.95) ? among(fitting) : among(TYPES)
  if (text === undefined && !fields && chance(0.95)) return { content: '', type }
  if (chance(0.02)) return { content: among(TEXTS), type }
  if (chance(0.01)) return { content: '['.repeat(below(8_000)) + ']'.repeat(below(8_000)), type }
  const entries = mutateFields(fields ?? { qr_value: 'x' }, random)
  if (text !== undefined)
    return { content: Array.from({ length: 1 + below(3) }, () => mutateText(text, random)).join('\n'), type }
  if (type.startsWith('multipart')) return { content: writeMultipart(entries, random), type }
  if (type.includes('urlencoded')) return { content: writeForm(entries, random), type }
  const value = chance(0.05) ? among(VALUES) : Object.fromEntries(entries)
  return { content: mutateText(JSON.stringify(value), random), type }
}

/** Replaces a character of every tenth text, so that most bodies stay readable. */
function mutateText(text: string, { among, below, chance }: Random): string {
  if (chance(0.9)) return text
  const at = below(text.length)
  return (
    text.slice(0, at) + among(['"', '{', ',', '\\', '\\ud800', '1e999', '\u0000', '']) + text.slice(at + 1)
  )
}

function writeMultipart(entries: [string, unknown][], { among, chance }: Random): string {
  const sections = entries.map(([name, value]) => {
    const disposition = chance(0.97) ? 'form-data' : 'x'
    const file = chance(0.03) ? '; filename="f"' : ''
    const more = chance(0.03) ? `${among(HEADERS)}: ${among(HEADER_VALUES)}\r\n` : ''
    const head = `--b\r\nContent-Disposition: ${disposition}; name="${name}"${file}\r\n${more}`
    return `${head}\r\n${textOf(value)}\r\n`
  })
  return sections.join('') + (chance(0.97) ? '--b--\r\n' : '')
}

function writeForm(entries: [string, unknown][], { chance }: Random): string {
  const encode = (text: string) => (chance(0.9) ? encodeURIComponent(text.toWellFormed()) : text)
  return entries.map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`).join('&')
}

/** Changes, cuts, moves or repeats bytes anywhere. */
function garble(text: string, { below, chance }: Random): Buffer {
  const bytes = Buffer.from(text)
  if (chance(0.2)) return bytes.subarray(0, below(bytes.length))
  if (chance(0.1)) return Buffer.from(Array.from({ length: 1 + below(400) }, () => below(256)))
  if (chance(0.2)) {
    const [from, to] = [below(bytes.length), below(bytes.length)]
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, from + below(40)), bytes.subarray(to)])
  }
  for (let left = 1 + below(6); left > 0; left--) bytes[below(bytes.length)] = below(256)
  return bytes
}
