// A seeded generator of mutated HTTP requests. Each request is built in three steps:
// 1. pick an operation, and build a mostly correct request: method, path, credentials, body and framing;
// 2. replace some parts with unusual values from request-parts.ts;
// 3. garble the bytes of every fourth request, so that it may no longer be valid HTTP.
// Example: `createMutator(7, api)` returns a function that returns the next request of the run with seed 7.
// The same seed and the same credentials give the same run, so a failure can be replayed.
import type { OperationId } from '@tiwala/contract'
import { type ApiClient, assertErrorShape, locate, operationIds } from '../kit/api-client.ts'
import { chunked, requestText } from '../kit/raw-http.ts'
import { HEADER_VALUES, HEADERS, METHODS, TEXTS, TYPES, VALUES } from './request-parts.ts'

/**
 * `thenEndMs`: the sender closes its side then. `mayBeSilent`: no response is correct, for an incomplete
 * request.
 */
export type MutatedRequest = { bytes: Buffer; thenEndMs?: number; mayBeSilent: boolean }

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Mulberry32: the same seed gives the same run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function createMutator(seed: number, api: ApiClient): () => MutatedRequest {
  const random = createRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const among = <T>(choices: readonly T[]): T => choices[below(choices.length)]!
  const chance = (share: number) => random() < share
  const { partner } = api

  const fields = () => {
    const valid: Record<string, unknown> = {
      qr_value: `TWQ1${'0'.repeat(32)}`,
      partner_code: partner.partner_code,
      partner_secret: partner.partner_secret,
      scope: 'SSO_AUTHENTICATION',
      exchange_code: 'twx_',
      purpose: 'share',
    }
    const kept = Object.entries(valid).filter(() => chance(0.6))
    return [...kept, ...(chance(0.5) ? [[among(TEXTS), among(VALUES)] as const] : [])].map(
      ([name, value]) => [name, chance(0.2) ? among(VALUES) : value] as const,
    )
  }

  function body(type: string): string {
    const parts = fields()
    if (chance(0.05)) return among(TEXTS)
    if (type.startsWith('multipart')) {
      const sections = parts.map(
        ([name, value]) =>
          `--b\r\nContent-Disposition: ${chance(0.9) ? 'form-data' : 'x'}; name="${name}"` +
          (chance(0.1) ? '; filename="f"' : '') +
          `\r\n${chance(0.1) ? `${among(HEADERS)}: ${among(HEADER_VALUES)}\r\n` : ''}\r\n` +
          `${textOf(value)}\r\n`,
      )
      return sections.join('') + (chance(0.85) ? '--b--\r\n' : '')
    }
    if (type.includes('urlencoded'))
      return parts
        .map(
          ([name, value]) =>
            `${chance(0.5) ? encodeURIComponent(name.toWellFormed()) : name}=${textOf(value)}`,
        )
        .join('&')
    if (chance(0.03)) return '['.repeat(below(8_000)) + ']'.repeat(below(8_000))
    return JSON.stringify(chance(0.1) ? among(VALUES) : Object.fromEntries(parts))
  }

  function target(id: OperationId): string {
    const path = locate(id).path.replaceAll(/\{\w+\}/g, () =>
      chance(0.5) ? encodeURIComponent(among(TEXTS).toWellFormed()) : 'x',
    )
    const twisted = chance(0.1)
      ? among([
          `/${path}`,
          `${path}/`,
          `http://evil.example${path}`,
          path.slice(0, -1),
          `${path}%00`,
          `${path}%zz`,
          path.toUpperCase(),
          '*',
          '/',
          '/docs/..%2f..%2f',
          '/openapi/x',
          '/sandbox/photos/NaN.svg',
        ])
      : path
    const nameOfParameter = () =>
      among(['tracking_no', 'qr_value', 'limit', 'state', 'cursor', ...TEXTS.map(encode)])
    const parameter = () => `${nameOfParameter()}=${encode(among(TEXTS))}`
    const query = chance(0.6) ? `?${Array.from({ length: 1 + below(3) }, parameter).join('&')}` : ''
    return (twisted + query).replaceAll(/[^!-~]/g, '')
  }
  const encode = (text: string) => (chance(0.7) ? encodeURIComponent(text.toWellFormed()) : text)

  function request(): { text: string; isFramed: boolean } {
    const id = among(operationIds)
    const type = chance(0.8) ? among(TYPES.slice(0, 3)) : among(TYPES)
    const credentials = chance(0.7) ? { ...api.asPartner, ...among([api.asCitizen, api.asOperator]) } : {}
    const method = chance(0.85) ? locate(id).method : among(METHODS)
    const content =
      ['GET', 'HEAD'].includes(method) && chance(0.8) ? '' : body(chance(0.9) ? type : among(TYPES))
    const inChunks = content && chance(0.3)
    const framing = !content
      ? {}
      : inChunks
        ? { 'Transfer-Encoding': 'chunked' }
        : { 'Content-Length': Buffer.byteLength(content) }
    const oddHeader = chance(0.3) ? among(HEADERS) : ''
    const headers = {
      ...credentials,
      ...(content && { 'Content-Type': type }),
      ...framing,
      ...(oddHeader && { [oddHeader]: among(HEADER_VALUES) }),
    }
    const text = requestText(method, target(id), headers, inChunks ? `${chunked(content)}0\r\n\r\n` : content)
    if (chance(0.03))
      return {
        text: text.replace('\r\n', `\r\n${among(HEADERS)}: ${among(HEADER_VALUES)}\r\n`),
        isFramed: false,
      }
    return { text, isFramed: oddHeader !== 'Content-Length' && oddHeader !== 'Transfer-Encoding' }
  }

  /** Changes, cuts, doubles or drops bytes anywhere, so that the text may no longer be valid HTTP. */
  function garble(text: string): Buffer {
    const bytes = Buffer.from(text)
    if (chance(0.2)) return bytes.subarray(0, below(bytes.length))
    if (chance(0.1)) return Buffer.from(Array.from({ length: 1 + below(400) }, () => below(256)))
    for (let i = 1 + below(6); i > 0; i--) bytes[below(bytes.length)] = below(256)
    return chance(0.2) ? Buffer.concat([bytes, bytes]) : bytes
  }

  return () => {
    const { text, isFramed } = request()
    const isGarbled = chance(0.25)
    const bytes = isGarbled ? garble(text) : Buffer.from(text)
    // The server may correctly wait for more bytes, so the sender closes its side.
    return isGarbled || !isFramed
      ? { bytes, thenEndMs: 40, mayBeSilent: true }
      : { bytes, mayBeSilent: false }
  }
}

/** What is wrong with a response, or `undefined`. `bytes`: the request. */
export function faultOf(
  { status, headers, body }: { status: number; headers: Record<string, string>; body: string },
  bytes: Buffer,
): string | undefined {
  if (status >= 500) return `${status}, a fault of ours`
  if (!/^req_[0-9A-Za-z]{22}$/.test(headers['x-request-id'] ?? '')) return 'no X-Request-Id'
  if (status < 400) return undefined
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return `the content type is ${headers['content-type']}`
  if (bytes.subarray(0, 5).toString() === 'HEAD ') {
    // The bytes may contain a second request. If they are not valid HTTP, the server does not know that it
    // was a HEAD.
    const isNone = body === '' || body.startsWith('HTTP/1.1 ') || body.includes('malformed_request')
    return isNone ? undefined : 'a body after HEAD'
  }
  try {
    const errorBody: unknown = JSON.parse(Buffer.from(body, 'latin1').toString())
    assertErrorShape(errorBody)
    return errorBody.status === status && errorBody.request_id === headers['x-request-id']
      ? undefined
      : 'status or request_id differ from the header'
  } catch (error) {
    return String(error)
  }
}
