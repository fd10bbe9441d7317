import formats from 'ajv-formats'
// The rule that examples are valid. Each wrong example is one finding: if no branch of a oneOf fits, the
// problem of the nearest branch, and the number of other problems.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  closest,
  type Context,
  isNode,
  isReference,
  type Node,
  nodeOf,
  type Report,
  resolved,
  rule,
  unescaped,
} from '../rule.ts'

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  verbose: true,
  validateSchema: false,
  logger: false,
})
formats.default(ajv)

/** Compiling is slow, and the documents share most schemas. */
const validators = new WeakMap<object, ValidateFunction>()

export const exampleMatches = rule(
  'Partners copy examples, and a wrong one fails at their first try.',
  (report) => {
    const checkBeside = (node: Node, context: Context) => {
      if (!isNode(node.schema)) return
      const check = (value: unknown, at: Context['location']) =>
        checkExample(report, context, node.schema as Node, value, at)
      if ('example' in node) check(node.example, context.location.child('example'))
      for (const [name, example] of Object.entries(nodeOf(node.examples))) {
        const target = isReference(example) ? context.resolve(example) : undefined
        const place = target?.location ?? context.location.child(['examples', name])
        const { value } = resolved(context, example)
        if (value !== undefined) check(value, place.child('value'))
      }
    }
    return {
      MediaType: checkBeside,
      Parameter: checkBeside,
      Header: checkBeside,
      Schema(schema, context) {
        if (Array.isArray(schema.examples))
          for (const [index, value] of schema.examples.entries())
            checkExample(report, context, schema, value, context.location.child(['examples', index]))
      },
    }
  },
)

function checkExample(
  report: Report,
  context: Context,
  schema: Node,
  value: unknown,
  at: Context['location'],
): void {
  const validate = validatorOf(context, schema)
  if (!validate || validate(value)) return
  const errors = validate.errors!
  const error = nearestError(errors)
  const inUnion = errors.some(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf')
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const path = error.instancePath.split('/').slice(1).map(unescaped)
  const extra = error.params.additionalProperty ?? error.params.unevaluatedProperty
  report(context, {
    what:
      `The example does not match its schema at ${error.instancePath || 'its root'}: ` +
      `${problemOf(error)}${inUnion ? ' (in the nearest alternative)' : others}.`,
    write: remedyOf(error),
    at: at.child(extra ? [...path, String(extra)] : path),
  })
}

/** The validator of a schema, or nothing if the schema itself is wrong: other rules report that. */
function validatorOf(context: Context, schema: Node): ValidateFunction | undefined {
  const key = resolved(context, schema)
  try {
    const validate = validators.get(key) ?? ajv.compile(nodeOf(inline(context, schema)))
    validators.set(key, validate)
    return validate
  } catch {
    return undefined
  }
}

/** The schema with every reference replaced by its target, so that the path of an error shows its branch. */
function inline(
  context: Context,
  value: unknown,
  file = context.location.source.absoluteRef,
  trail: readonly unknown[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(context, item, file, trail))
  if (!isNode(value)) return value
  if (!isReference(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, inline(context, inner, file, trail)]),
    )
  const { node, location } = context.resolve(value, file)
  if (!location || trail.includes(node)) return {}
  return inline(context, node, location.source.absoluteRef, [...trail, node])
}

/** The first error outside of any union, or that of the branch with the fewest errors. */
function nearestError(errors: readonly ErrorObject[]): ErrorObject {
  const union = errors
    .filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf')
    .toSorted((a, b) => a.schemaPath.length - b.schemaPath.length)[0]
  if (!union) return mostSpecific(errors)
  const prefix = `${union.schemaPath}/`
  const outside = errors.filter((error) => error !== union && !error.schemaPath.startsWith(prefix))
  if (outside.length) return nearestError(outside)
  const branches = Map.groupBy(
    errors.filter((error) => error !== union),
    ({ schemaPath }) => schemaPath.slice(prefix.length).split('/')[0],
  )
  const distance = (branch: readonly ErrorObject[]) =>
    branch.length + (branch.some((error) => isOtherType(error, union)) ? 1000 : 0)
  const nearest = [...branches.values()].toSorted((a, b) => distance(a) - distance(b))[0]
  return nearest ? nearestError(nearest) : union
}

/** A list of values that a part of an allOf narrows: the shortest says most. */
const mostSpecific = (errors: readonly ErrorObject[]) =>
  errors
    .filter(({ keyword, instancePath }) => keyword === 'enum' && instancePath === errors[0]!.instancePath)
    .toSorted((a, b) => a.params.allowedValues.length - b.params.allowedValues.length)[0] ?? errors[0]!

const isOtherType = ({ keyword, instancePath }: ErrorObject, union: ErrorObject) =>
  keyword === 'type' && instancePath === union.instancePath

function problemOf({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  const extra = params.additionalProperty ?? params.unevaluatedProperty
  return extra ? `has the unknown field ${String(extra)}` : String(message)
}

function remedyOf({ params, parentSchema }: ErrorObject): string {
  const extra = params.additionalProperty ?? params.unevaluatedProperty
  if (extra) {
    const near = closest(String(extra), Object.keys(nodeOf(parentSchema?.properties)))
    return near ? `${near}.` : `no ${String(extra)}, or ${String(extra)} in the schema.`
  }
  if (params.missingProperty) return `${String(params.missingProperty)} in the example.`
  return 'a value that the schema allows, or change the schema.'
}
