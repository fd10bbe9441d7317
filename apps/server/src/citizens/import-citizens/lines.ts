import type { Schemas } from '@tiwala/contract'
import type { Config } from '../../config.ts'
import { hasRepeatedKey } from '../../contract/repeated-keys.ts'
import { findRegistrationFaults } from '../registration-faults.ts'
import { createSchemaValidator } from './validate-line.ts'

const MAX_LINE_BYTES = 64 * 1024

export type Line = { number: number; text: string }

export type LineErrors = Schemas['LineFault']['errors']

export type Registration = Schemas['CitizenRegistration']

const validate = createSchemaValidator('CitizenRegistration')

/**
 * Yields the lines that are not blank, one by one: a file with millions of lines needs no more memory than
 * its text.
 */
export function* splitLines(text: string): Generator<Line> {
  for (let start = 0, number = 1; start < text.length; number++) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, end).trim()
    if (line !== '') yield { number, text: line }
    start = end + 1
  }
}

export function parseLine(
  { text }: Line,
  environment: Config['environment'],
): { registration: Registration } | { errors: LineErrors } {
  if (Buffer.byteLength(text) > MAX_LINE_BYTES) return { errors: { line: ['is longer than 64 KiB'] } }
  const value = parseJson(text)
  if (value === undefined) return { errors: { line: ['is not JSON'] } }
  if (hasRepeatedKey(text)) return { errors: { line: ['has a field twice'] } }
  const errors = validate(value) ?? findRegistrationFaults(value as Registration, environment)
  return errors ? { errors } : { registration: value as Registration }
}

/** `undefined`: not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
