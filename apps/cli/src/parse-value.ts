import { InvalidArgumentError } from 'commander'
import { resolve, type Schema } from './document.ts'
import { isList, isNullable } from './parameters.ts'

/** Stands for null until the value is sent: commander takes null for nothing given. */
export const NULL = Symbol('null')

/** What was typed, as the schema has it. What a value may be is the service's to judge, as far as its type can be read at all. */
export function parseValue(schema: Schema, text: string, before: unknown): unknown {
  if (isList(schema)) return appendItem(resolve(schema.items ?? {}), text, (before ?? []) as unknown[])
  if (isNullable(schema) && text === 'null') return NULL
  return parseSingle(schema, text)
}

function appendItem(items: Schema, text: string, before: unknown[]): unknown[] {
  return text === 'none' ? before : [...before, parseSingle(items, text)]
}

function parseSingle(schema: Schema, text: string): unknown {
  if (isOf(schema, 'integer')) return parseInteger(text)
  if (isOf(schema, 'boolean')) return parseBoolean(text)
  if (schema.enum && !schema.enum.includes(text)) throw new InvalidArgumentError(`Choose one of ${schema.enum.join(', ')}.`)
  return text
}

function parseInteger(text: string): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('Give a whole number.')
  return value
}

function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('Give true or false.')
  return text === 'true'
}

/** What stands for the value in the help. */
export function placeholderOf(schema: Schema): string {
  if (isOf(schema, 'integer')) return 'number'
  return { uri: 'url', 'date-time': 'time' }[schema.format ?? ''] ?? 'text'
}

const isOf = ({ type }: Schema, name: string): boolean => [type].flat().includes(name)
