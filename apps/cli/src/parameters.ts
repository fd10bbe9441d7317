import { commands } from './commands.ts'
import { operationOf, type OperationId, requestBodyOf, resolve, type Schema } from './document.ts'

export type Parameter = {
  /** Where the value goes in the input: `['query', 'limit']`, `['body', 'limits', 'per_day']`. */
  inputPath: string[]
  /** The name on the command line, without the dashes. */
  name: string
  schema: Schema
  description: string
  isRequired: boolean
}

/** A maximum of this size or more is only a technical bound, so the help does not show it. */
const TECHNICAL_MAXIMUM = 1_000_000_000

/** Read by programs only, or sent by `connect.ts`. */
const OTHER_HEADERS = new Set(['traceparent', 'X-Csrf-Token', 'X-Partner-Code'])

/** The arguments and options of an operation's command. They come from its path, query, headers and body. */
export function parametersOf(id: OperationId): Parameter[] {
  const declared = (operationOf(id).parameters ?? []).map(resolve)
  const parameters = declared.filter(({ name }) => !OTHER_HEADERS.has(name))
  const declaredParameters = parameters.map(({ in: part, name, schema, required = false, description }) => {
    const resolved = resolve(schema)
    return describe(
      id,
      [part === 'header' ? 'headers' : part, name],
      { ...resolved, description: description ?? resolved.description ?? '' },
      required,
    )
  })
  return [...declaredParameters, ...fieldsOf(id, requestBodyOf(id)?.schema ?? {}, ['body'], true)]
}

/** Whether options cannot express the body. The command then reads the body from a file. */
export function needsFile(id: OperationId): boolean {
  const schema = requestBodyOf(id)?.schema
  if (!schema) return false
  const fields = Object.values(schema.properties ?? {}).map(resolve)
  return !schema.properties || fields.some((field) => !isScalarOrList(field) && !field.properties)
}

function fieldsOf(id: OperationId, schema: Schema, inputPath: string[], isRequired: boolean): Parameter[] {
  if (inputPath.length === 1 && needsFile(id)) return []
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = resolve(property)
    const isFieldRequired = isRequired && (schema.required ?? []).includes(name)
    const fieldPath = [...inputPath, name]
    return field.properties
      ? fieldsOf(id, field, fieldPath, isFieldRequired)
      : [describe(id, fieldPath, field, isFieldRequired)]
  })
}

function describe(id: OperationId, inputPath: string[], schema: Schema, isRequired: boolean): Parameter {
  return {
    inputPath,
    name: nameOf(id, inputPath, schema),
    schema,
    description: describeValue(schema),
    isRequired,
  }
}

/**
 * Examples: `scopes` becomes a repeatable `--scope`, `limits.per_day` becomes `--limit-per-day`. The noun of
 * the command is left out: `partner create` has `--code` for `partner_code`.
 */
function nameOf(id: OperationId, [, ...names]: string[], schema: Schema): string {
  const noun = commands[id].split(' ')[0]!.replaceAll('-', '_')
  return names
    .map((name, index) => (index < names.length - 1 || isList(schema) ? name.replace(/s$/, '') : name))
    .join('_')
    .replace(new RegExp(`^${noun}_`), '')
    .replaceAll('_', '-')
    .toLowerCase()
}

function describeValue(schema: Schema): string {
  const { description = '', minimum, maximum, default: defaultValue } = schema
  return [
    description.replaceAll(/\s+/g, ' ').trim(),
    minimum !== undefined &&
      maximum !== undefined &&
      maximum < TECHNICAL_MAXIMUM &&
      `From ${minimum} to ${maximum}.`,
    defaultValue !== undefined && `Default: ${defaultValue}.`,
    isList(schema) && 'Can be repeated; "none" means an empty list.',
    isNullable(schema) && '"null" means no value.',
  ]
    .filter(Boolean)
    .join(' ')
}

export const isList = ({ type }: Schema): boolean => type === 'array'
export const isNullable = ({ type }: Schema): boolean => Array.isArray(type) && type.includes('null')
const isScalarOrList = ({ type }: Schema): boolean => type !== undefined && type !== 'object'
