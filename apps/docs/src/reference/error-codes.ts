import { STATUS_CODES } from 'node:http'
import catalogue from '@tiwala/contract/errors.json'
import { forSite } from './texts.ts'

export type ErrorEntry = {
  code: string
  status: number
  meaning: string
  action: string
  citizen?: string
  headers: Record<string, string | number>
  example: object
  /** The operations that document the code. */
  operations: string[]
}

export const errorEntries: ErrorEntry[] = Object.entries(
  forSite<Record<string, Omit<ErrorEntry, 'code'>>>(catalogue),
).map(([code, entry]) => ({ ...entry, code }))

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
