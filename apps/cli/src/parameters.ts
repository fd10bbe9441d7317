import { commands } from './commands.ts'
import { requestBodyOf, operationOf, type OperatorId, resolve, type Schema } from './document.ts'

export type Parameter = {
  /** Where the value goes: `['query', 'limit']`, `['body', 'limits', 'per_day']`. */
  inputPath: string[]
  /** As it is typed, without the dashes. */
  name: string
  schema: Schema
  description: string
  isRequired: boolean
}

/** A limit of this size is none that anybody has to know. */
const ANY_NUMBER = 1_000_000_000

/** Arguments and options of an operation's command: what its path, its query and its body hold. */
export function parametersOf(id: OperatorId): Parameter[] {
  const given = (operationOf(id).parameters ?? []).map(resolve).map(({ in: part, name, schema, required = false, description }) => {
    const resolved = resolve(schema)
    return describe(id, [part, name], { ...resolved, description: description ?? resolved.description ?? '' }, required)
  })
  return [...given, ...fieldsOf(id, requestBodyOf(id)?.schema ?? {}, ['body'], true)]
}

/** Whether the body holds what options cannot say: it is read from a file then. */
export function needsFile(id: OperatorId): boolean {
  const schema = requestBodyOf(id)?.schema
  if (!schema) return false
  return !schema.properties || Object.values(schema.properties).some((each) => !isPlain(resolve(each)) && !resolve(each).properties)
}

function fieldsOf(id: OperatorId, schema: Schema, inputPath: string[], isRequired: boolean): Parameter[] {
  if (inputPath.length === 1 && needsFile(id)) return []
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const [field, isNeeded] = [resolve(given), isRequired && (schema.required ?? []).includes(name)]
    return field.properties ? fieldsOf(id, field, [...inputPath, name], isNeeded) : [describe(id, [...inputPath, name], field, isNeeded)]
  })
}

function describe(id: OperatorId, inputPath: string[], schema: Schema, isRequired: boolean): Parameter {
  return { inputPath, name: nameOf(id, inputPath, schema), schema, description: describeValue(schema), isRequired }
}

/** One `--scope` for each of `scopes`, `--limit-per-day` for `limits.per_day`; the command's noun is not said again. */
function nameOf(id: OperatorId, [, ...names]: string[], schema: Schema): string {
  const noun = commands[id].split(' ')[0]!.replaceAll('-', '_')
  return names
    .map((name, index) => (index < names.length - 1 || isList(schema) ? name.replace(/s$/, '') : name))
    .join('_')
    .replace(new RegExp(`^${noun}_`), '')
    .replaceAll('_', '-')
}

function describeValue(schema: Schema): string {
  const { description = '', minimum, maximum, default: usual } = schema
  return [
    description.replaceAll(/\s+/g, ' ').trim(),
    minimum !== undefined && maximum !== undefined && maximum < ANY_NUMBER && `From ${minimum} to ${maximum}.`,
    usual !== undefined && `Default: ${usual}.`,
    isList(schema) && 'Repeatable; "none" for an empty list.',
    isNullable(schema) && '"null" for none.',
  ]
    .filter(Boolean)
    .join(' ')
}

export const isList = ({ type }: Schema): boolean => type === 'array'
export const isNullable = ({ type }: Schema): boolean => Array.isArray(type) && type.includes('null')
const isPlain = ({ type }: Schema): boolean => type !== undefined && type !== 'object'
