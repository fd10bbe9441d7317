// How each kind of setting is read from a variable of the environment, and what is refused.
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { DocumentName, Schemas } from '@tiwala/contract'
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { makeValidator } from 'envalid'
import type { JSONWebKeySet, JWK } from 'jose'
import proxyaddr from 'proxy-addr'
import { readAddress, readPrivateNetwork } from '../network/addresses.ts'
import { parseJsonText } from '../secrets/parse-json-text.ts'

/** The largest value of each unit. A larger one could overflow a date, a timer or an integer in SQL. */
const MAX = {
  milliseconds: 3_600_000,
  seconds: 366 * 86_400,
  hours: 10 * 366 * 24,
  days: 100 * 366,
  count: 1_000_000_000,
}

/** A whole number of a unit. */
export const whole = (unit: keyof typeof MAX, { min = 1, max = MAX[unit] } = {}) =>
  makeValidator<number>((input) => {
    const value = Number(input)
    if (!/^\d+$/.test(input) || !Number.isSafeInteger(value) || value < min || value > max)
      throw new Error(`"${input}" is not a whole number from ${min} to ${max}`)
    return value
  })
/**
 * The value is used as it is, for example compared with the issuer of a token, so it has no white space, which
 * the parser of URLs would ignore. The error never repeats the value, since the URL of a database contains a
 * password.
 */
export const url = makeValidator<string>((input) => {
  if (/\s/.test(input) || !/^https?:$/.test(URL.parse(input)?.protocol ?? ''))
    throw new Error('is not a URL such as https://identity.example')
  return input
})
export const databaseUrl = makeValidator<string>((input) => {
  const parsed = URL.parse(input)
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol) || parsed.pathname.length < 2)
    throw new Error(
      'is not a URL such as postgres://user:password@host/database. ' +
        'Encode the special characters of the password, for example # as %23',
    )
  return input
})
/** As the parser of URLs writes it, without `/` at the end. Links and documents are at fixed paths below it. */
export const origin = makeValidator<string>((input) => {
  const { origin: parsed, href } = URL.parse(input) ?? {}
  if (parsed === undefined || href !== `${parsed}/`)
    throw new Error('is not the URL of a host alone, such as https://tiwala.example')
  return parsed
})
/** An empty audience would accept the tokens of every audience, an empty host would listen everywhere. */
export const text = makeValidator<string>((input) => {
  if (input.trim() === '') throw new Error('is empty. Remove it to use the default')
  if (input.trim() !== input) throw new Error('begins or ends with white space. Remove it')
  return input
})
export const host = makeValidator<string>((input) => {
  if (!isIP(input) && !/^[\w-]+(\.[\w-]+)*$/.test(input))
    throw new Error(`"${input}" is not an address or a host name, such as 127.0.0.1`)
  return input
})
export const proxies = makeValidator<string[]>((input) => {
  const addresses = input
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  const wrong = addresses.filter((address) => !isRange(address))
  if (wrong.length) throw new Error(`"${wrong.join()}" is not an IP address or range such as 10.0.0.0/8`)
  const isTrusted = proxyaddr.compile(addresses)
  if (EVERYWHERE.some((places) => places.every((address) => isTrusted(address, 0))))
    throw new Error('trusts every address, so callers could choose theirs. Name the proxies')
  return addresses
})
/** Addresses that lie far apart, of each version. */
const EVERYWHERE = [
  ['1.1.1.1', '99.1.1.1', '150.1.1.1', '203.0.113.1'],
  ['2001:db8::1', '2a00::1', 'fd00::1'],
]
/** Express reads the ranges by the same parser. */
function isRange(address: string): boolean {
  try {
    return proxyaddr.compile([address]) !== undefined
  } catch {
    return false
  }
}
export const privateNetworks = makeValidator<string[]>((input) =>
  input
    .split(',')
    .map((network) => network.trim())
    .filter(Boolean)
    .map((network) => {
      const read = readPrivateNetwork(network)
      if (read !== undefined) return read
      throw new Error(
        `"${network}" is not a private network, such as 10.20.0.0/16. It must be part of 10.0.0.0/8, ` +
          '172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10 or fc00::/7. Public addresses need no setting',
      )
    }),
)
/** Only public keys: a copy of a key ring does not belong beside the live service. */
export const goingLiveKeys = makeValidator<JSONWebKeySet>((input) => {
  const { keys } = readJsonFile(input) as Partial<JSONWebKeySet>
  if (!Array.isArray(keys) || !keys.length || !keys.every(isPublicKey))
    throw new Error(`${input} has no list of public keys. Write it with: tiwala audit keys --json`)
  return { keys }
})
function isPublicKey(key: JWK | null): boolean {
  try {
    return (
      !key?.d && createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).asymmetricKeyType === 'ed25519'
    )
  } catch {
    return false
  }
}
function readJsonFile(path: string): object {
  try {
    return Object(parseJsonText(readFileSync(path)))
  } catch (error) {
    const { code = 'no JSON' } = error as NodeJS.ErrnoException
    throw new Error(`cannot read ${path} as JSON (${code})`, { cause: error })
  }
}
/** The start compares what PostgreSQL reads from the name (`requireTimeZone`). */
export const timeZone = makeValidator<string>((input) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: input }).resolvedOptions().timeZone && input
  } catch {
    throw new Error(`"${input}" is not a time zone such as Asia/Manila`)
  }
})
export const DOCUMENTS: readonly DocumentName[] = ['partner', 'citizen-app', 'workbench', 'operator']
export const documents = makeValidator<DocumentName[]>((input) => {
  const names = input.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !(DOCUMENTS as readonly string[]).includes(name))
  if (unknown.length) throw new Error(`"${unknown.join()}" is not one of ${DOCUMENTS.join()}`)
  return [...new Set(names as DocumentName[])]
})
const APPROVAL_KINDS = operator.components.schemas.ApprovalKind.enum
export const secondPerson = makeValidator<Schemas['Approval']['kind'][]>((input) => {
  const names = input === 'none' ? [] : input.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !APPROVAL_KINDS.includes(name))
  if (unknown.length)
    throw new Error(`"${unknown.join()}" is not one of ${APPROVAL_KINDS.join()}, and not none`)
  return names as Schemas['Approval']['kind'][]
})
const ANOMALY_ACTION = /^(rate|night|refusals|declines|disputes|address):(slow|suspend)$/
/** Kinds of anomalies with an action each, such as `rate:slow,disputes:suspend`. */
export const anomalyActions = makeValidator<
  Partial<Record<Schemas['AnomalyKind'], NonNullable<Schemas['Anomaly']['action']>>>
>((input) => {
  const entries = input.split(',').map((entry) => entry.trim())
  const wrong = entries.find((entry) => !ANOMALY_ACTION.test(entry))
  if (wrong !== undefined) throw new Error(`"${wrong}" is not kind:action, such as rate:slow`)
  const pairs = entries.map((entry) => entry.split(':'))
  if (new Set(pairs.map(([kind]) => kind)).size < pairs.length) throw new Error('a kind has two actions')
  return Object.fromEntries(pairs)
})
export const operatorAddress = makeValidator<string>((input) => {
  if (input !== 'shared' && !readAddress(input))
    throw new Error(`"${input}" is not host:port, such as 127.0.0.1:8081, or shared`)
  return input
})
/** A link that another program opens, so any scheme of an app; it must accept a further parameter. */
export const appLink = makeValidator<string>((input) => {
  const { protocol } = URL.parse(input) ?? {}
  // The parser ignores white space, and an empty fragment.
  if (!protocol || /[\s#]/.test(input) || /^(javascript|data|file|blob):$/.test(protocol))
    throw new Error(
      `"${input}" is not a link such as https://app.example/sign-in, or has a fragment or white space`,
    )
  return input
})
/** Processes and commands that run in different folders must mean the same one. */
export const absolutePath = makeValidator<string>((input) => {
  if (!input.startsWith('/'))
    throw new Error(`"${input}" is not an absolute path, such as /var/lib/tiwala/audit`)
  return input
})
/** Names with absolute paths, such as `export:/var/backups/audit.ndjson`. */
export const namedPaths = makeValidator<string[]>((input) => {
  const entries = input.split(',').map((entry) => entry.trim())
  const wrong = entries.find((entry) => !/^[a-z]\w{0,30}:\/.+$/.test(entry))
  if (wrong !== undefined)
    throw new Error(`"${wrong}" is not name:/path, such as export:/var/backups/audit.ndjson`)
  if (new Set(entries.map((entry) => entry.split(':')[0])).size < entries.length)
    throw new Error('a name has two paths')
  return entries
})
/** A list of texts without white space. */
export const words = makeValidator<string[]>((input) => {
  const list = input.split(',').map((word) => word.trim())
  if (list.some((word) => !/^[!-~]{1,200}$/.test(word))) throw new Error('is not a list such as low,high')
  return list
})
