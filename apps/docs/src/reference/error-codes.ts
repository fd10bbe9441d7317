import { STATUS_CODES } from 'node:http'
import catalogue from '@tiwala/contract/errors.json'
import { forSite } from './texts.ts'

export type ErrorEntry = {
  code: string
  status: number
  meaning: string
  action: string
  citizen: string
  headers: Record<string, string | number>
  example: object
  /** The operations that document the code. */
  operations: string[]
  otherNames?: string[]
}

/** Names of the same error elsewhere, for which a developer may search. */
const OTHER_NAMES: Partial<Record<keyof typeof catalogue, string[]>> = {
  browser_use_forbidden: ['CORS error', 'cross-origin request blocked'],
  credentials_invalid: ['wrong secret', 'wrong password', 'authentication failed'],
  exchange_code_invalid: ['invalid_grant'],
  payload_too_large: ['body too large'],
  rate_limited: ['throttled', 'throttling', 'too many requests'],
  scope_not_granted: ['insufficient_scope', 'permission denied'],
  token_expired: ['session expired'],
  unavailable: ['overloaded', 'service down'],
}

export const errorEntries: ErrorEntry[] = Object.entries(
  forSite<Record<string, Omit<ErrorEntry, 'code'>>>(catalogue),
).map(([code, entry]) => {
  const otherNames = OTHER_NAMES[code as keyof typeof catalogue]
  return { ...entry, code, ...(otherNames && { otherNames }) }
})

export const statusLine = ({ status }: ErrorEntry) => `${status} ${STATUS_CODES[status]}`

/** The example as the client receives it. */
export const exampleOf = (entry: ErrorEntry): string =>
  [
    `HTTP/1.1 ${statusLine(entry)}`,
    'Content-Type: application/json; charset=utf-8',
    ...Object.entries(entry.headers).map(([name, value]) => `${name}: ${value}`),
    `Link: <http://localhost:8080/errors/${entry.code}>; rel="help"`,
    '',
    JSON.stringify(entry.example, null, 2),
  ].join('\n')

/** An entry of a list of errors. */
export const errorItem = ({ code, meaning }: ErrorEntry) => ({
  name: code,
  href: `/docs/errors/${code}`,
  meaning,
})
