// The rule that the values in a schema (enum, const, default) are possible.
import { type Context, isNode, listOf, type Node, type Report, rule, typesOf } from '../rule.ts'
import { hasKnownTypes } from './schemas.ts'

export const possibleValues = rule(
  'Generated types and documentation show a value that the validator refuses.',
  (report) => ({
    Schema(schema, context) {
      const values = listOf(schema.enum)
      if (Array.isArray(schema.enum) && !values.length)
        report(context, { what: 'The enum is empty.', write: 'at least one value, or no enum.' })
      for (const [index, value] of values.entries())
        checkValue(report, context, value, ['enum', index], () =>
          values.indexOf(value) < index ? 'is in the enum twice' : typeMismatch(schema, value),
        )
      for (const key of ['const', 'default'].filter((name) => name in schema))
        checkValue(report, context, schema[key], [key], () => mismatch(schema, schema[key]))
    },
  }),
)

export const typedValue = rule(
  'Generators of clients read only `type`: without it, the field has no type or a class named `Null`.',
  (report) => ({
    Schema(schema, context) {
      if ('const' in schema && !('type' in schema))
        report(context, { what: 'const has no type beside it.', write: 'type: the type of the value.' })
      const isVariant = /\/(oneOf|anyOf)\/\d+$/.test(context.location.pointer)
      if (schema.type === 'null' && !isVariant)
        report(context, {
          what: "type: 'null' does not say which type the field has otherwise.",
          write: "type: [string, 'null'] or another type, and enum: [null].",
        })
    },
  }),
)

function checkValue(
  report: Report,
  context: Context,
  value: unknown,
  place: (string | number)[],
  problem: () => string | undefined,
): void {
  const found = problem()
  if (!found) return
  report(context, {
    what: `${place[0]}: ${JSON.stringify(value)} ${found}.`,
    write: 'values that differ from each other and that the rest of the schema allows.',
    at: context.location.child(place),
  })
}

function typeMismatch(schema: Node, value: unknown): string | undefined {
  const types = typesOf(schema)
  return types.length && hasKnownTypes(schema) && !types.some((type) => hasType(value, type))
    ? `is not of type ${types.join(' or ')}`
    : undefined
}

function mismatch(schema: Node, value: unknown): string | undefined {
  const { enum: allowed, minimum, maximum, minLength, maxLength, pattern } = schema
  if (Array.isArray(allowed) && !allowed.includes(value)) return 'is not in the enum'
  if (Number(value) < Number(minimum)) return 'is less than minimum'
  if (Number(value) > Number(maximum)) return 'is greater than maximum'
  if (typeof value === 'string') {
    if (value.length < Number(minLength)) return 'is shorter than minLength'
    if (value.length > Number(maxLength)) return 'is longer than maxLength'
    if (typeof pattern === 'string' && !matches(pattern, value)) return 'does not match the pattern'
  }
  return typeMismatch(schema, value)
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}

function hasType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return isNode(value)
  return typeof value === type
}
