import { InvalidArgumentError } from 'commander'
import { resolve, type Schema } from './document.ts'
import { isList, isNullable } from './parameters.ts'

/** Means null until the request is built: commander treats a null value as a missing option. */
export const NULL = Symbol('null')

/**
 * Converts the text of an argument to the type in its schema. The service checks all other rules of the
 * schema.
 */
export function parseValue(schema: Schema, text: string, previous: unknown): unknown {
  if (isList(schema)) return appendItem(resolve(schema.items ?? {}), text, (previous ?? []) as unknown[])
  if (isNullable(schema) && text === 'null') return NULL
  return parseSingle(schema, text)
}

function appendItem(items: Schema, text: string, previous: unknown[]): unknown[] {
  return text === 'none' ? previous : [...previous, parseSingle(items, text)]
}

function parseSingle(schema: Schema, text: string): unknown {
  if (hasType(schema, 'integer')) return parseInteger(text)
  if (hasType(schema, 'boolean')) return parseBoolean(text)
  if (hasType(schema, 'object')) return parseObject(text)
  if (schema.enum && !schema.enum.includes(text))
    throw new InvalidArgumentError(`Choose one of ${schema.enum.join(', ')}.`)
  return text
}

function parseInteger(text: string): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('Give a whole number.')
  return value
}

function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('Give true or false.')
  return text === 'true'
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError(`Give an object as JSON, such as '{"name":"value"}'.`)
  }
}

/** The placeholder of the value in the help: `--limit <number>`. */
export function placeholderOf(schema: Schema): string {
  if (hasType(schema, 'integer')) return 'number'
  if (hasType(schema, 'boolean')) return 'boolean'
  if (hasType(resolve(schema.items ?? {}), 'object')) return 'json'
  return { uri: 'url', 'date-time': 'time' }[schema.format ?? ''] ?? 'text'
}

const hasType = ({ type }: Schema, name: string): boolean => [type].flat().includes(name)
