// `tiwala receipt verify`: whether a receipt of an erasure, or a report for going live, was signed with a key of the audit.
import { createPublicKey, verify } from 'node:crypto'
import type { Options } from './command-context.ts'
import type { OperatorTransport } from './connect.ts'
import { EXIT_CODE } from './format-error.ts'
import { formatFields } from './format-output.ts'
import { type Io, print, printMessage, readSource } from './io.ts'
import { printValue } from './print-value.ts'
import { readAuditKeys } from './read-audit-keys.ts'
import { UsageError } from './usage-error.ts'

type Header = { alg?: string; kid?: string; typ?: string }
type Claims = {
  event?: string
  sub?: string
  iss?: string
  jti?: string
  iat?: number
  /** Of a report for going live. */
  checks?: { check: string; outcome: string }[]
}
type Context = { io: Io; options: Options; connect(): Promise<OperatorTransport> }

const RECEIPT_TYPE = 'tiwala-receipt+jwt'

export async function verifyReceipt({ io, options, connect }: Context, path: string): Promise<number> {
  const receipt = readReceipt((await readSource(io, path)).trim())
  const keys =
    options.keys === undefined
      ? (await (await connect())('listAuditKeys', {})).body.keys
      : await readAuditKeys(io, options.keys)
  const [header = '', payload = '', signature = ''] = receipt.split('.')
  const { alg, kid, typ } = decode(header)
  const key = keys.find((each) => each.kid === kid)
  const isSigned =
    key !== undefined &&
    alg === 'EdDSA' &&
    typ === RECEIPT_TYPE &&
    verify(
      null,
      Buffer.from(`${header}.${payload}`),
      createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    )
  if (!isSigned) {
    printMessage(
      io,
      key ? 'The receipt is NOT genuine.' : `No key of the audit has the id ${kid ?? ''} of the receipt.`,
    )
    return EXIT_CODE.notIntact
  }
  const { event, sub, iss, jti, iat, checks, ...content } = decode(payload)
  const at = iat === undefined ? null : new Date(iat * 1_000).toISOString()
  const shown = { genuine: true, event, subject: sub, issuer: iss, request_id: jti, at, kid, ...content }
  if (options.output === 'table') {
    const outcomes = Object.fromEntries(checks?.map(({ check, outcome }) => [check, outcome]) ?? [])
    await print(io.stdout, formatFields({ ...shown, checks: outcomes }, io))
  } else await printValue(io, options.output, { ...shown, ...(checks && { checks }) })
  return EXIT_CODE.done
}

/** The receipt alone, or the output of a command that shows one, with --json. */
function readReceipt(text: string): string {
  const receipt = text.startsWith('{') ? (parseJson(text) as { receipt?: string }).receipt : text
  if (!receipt || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(receipt))
    throw new UsageError(
      'The file holds no receipt. Give the output of "tiwala erasure show <uniqid> --json".',
    )
  return receipt
}

const decode = (part: string) => parseJson(Buffer.from(part, 'base64url').toString()) as Header & Claims

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('The file holds no receipt: it is neither JSON nor a JWT.')
  }
}
