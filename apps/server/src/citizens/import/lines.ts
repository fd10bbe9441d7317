import type { Schemas } from '@tiwala/contract'
import { createSchemaValidator } from './validate-line.ts'

const LONGEST_BYTES = 64 * 1024

export type Line = { number: number; text: string }
export type Fault = Schemas['LineFault']['errors']
export type Registration = Schemas['CitizenRegistration']

const faultsOf = createSchemaValidator('CitizenRegistration')

/** The lines that are not blank, one after the other: a file of millions of them takes no more memory than its text. */
export function* linesOf(text: string): Generator<Line> {
  for (let start = 0, number = 1; start < text.length; number++) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, end).trim()
    if (line !== '') yield { number, text: line }
    start = end + 1
  }
}

/** What a line says, or what is wrong with it. */
export function readLine({ text }: Line): { registration: Registration } | { fault: Fault } {
  if (Buffer.byteLength(text) > LONGEST_BYTES) return { fault: { line: ['is longer than 64 KiB'] } }
  const value = parse(text)
  if (value === undefined) return { fault: { line: ['is not JSON'] } }
  const fault = faultsOf(value)
  return fault ? { fault } : { registration: value as Registration }
}

/** `undefined`: not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
