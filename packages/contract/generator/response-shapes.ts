// Generates src/generated/partner.responses.ts: what the client checks of a success before it trusts the
// types. It checks the fields and their types, not patterns and lengths. It accepts fields and values that a
// later version of the contract adds.
import type { Bundle } from '../bundle.ts'
import { nameOf, resolve } from '../references.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
}
type Success = {
  headers?: Record<string, { $ref: string; required?: boolean }>
  content?: { 'application/json'?: { schema: Schema } }
}
type Components = { schemas: Record<string, Schema> }

/** The name of a component is the name of a constant, so that a schema is written once. */
type Shape = string | number | Shape[] | { name: string } | { fields: Record<string, Shape> }

export function responseShapes(document: Bundle): string {
  const { schemas } = document.components as Components
  const constants = new Map<string, string>()

  function shapeOf(schema: Schema): Shape {
    const hasValues = schema.enum !== undefined || schema.const !== undefined
    const isNullable = !hasValues && [schema.type].flat().includes('null')
    const shape = shapeOfType(schema)
    return isNullable ? alternatives([shape, 'null'].flat()) : shape
  }

  function shapeOfType(schema: Schema): Shape {
    if (schema.$ref) return referenced(nameOf(schema.$ref))
    if (schema.const !== undefined) return shapeOfValue(schema.const)
    if (schema.enum) return alternatives(schema.enum.map(shapeOfValue))
    const choices = schema.oneOf ?? schema.anyOf
    if (choices)
      return alternatives(
        choices.map((choice) => shapeOf(schema.type ? { type: schema.type, ...choice } : choice)),
      )
    if (schema.allOf || schema.properties) return { fields: fieldsOf(schema) }
    if (schema.items) return { fields: { '[]': shapeOf(schema.items) } }
    const types = [schema.type!].flat().filter((type) => type !== 'null')
    return alternatives(types.map((type) => SHAPES[type] ?? type))
  }

  /** The first part of an `allOf` narrows the fields of the later ones. */
  function fieldsOf({ allOf = [], required = [], properties = {} }: Schema): Record<string, Shape> {
    const whole = allOf.toReversed().map((part) => resolve(document, part))
    const all = Object.assign({}, ...whole.map((part) => part.properties), properties) as typeof properties
    const names = new Set([...whole.flatMap((part) => part.required ?? []), ...required])
    return Object.fromEntries([...names].map((name) => [name, shapeOf(all[name]!)]))
  }

  const open = new Set<string>()
  function referenced(name: string): Shape {
    if (open.has(name))
      throw Object.assign(
        new Error(
          `${name} has itself in a required field, which the client cannot check. Make the field optional.`,
        ),
        { component: name },
      )
    open.add(name)
    const shape = shapeOf(schemas[name]!)
    open.delete(name)
    if (typeof shape === 'string') return shape
    constants.set(name, print(shape))
    return { name }
  }

  const lines = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, responses }) => {
      const success = (responses['200'] ?? responses['201']) as Success | undefined
      const schema = success?.content?.['application/json']?.schema
      if (!schema) return []
      // A proxy may remove the standard headers, but not ours.
      const own = Object.entries(success.headers ?? {})
        .filter(([name, header]) => name.startsWith('X-') && resolve(document, header).required)
        .map(([name]) => `'${name}'`)
      return [`  ${operationId}: { headers: [${own.join(', ')}], body: ${print(shapeOf(schema))} },`]
    }),
  )
  const declared = [...constants].map(([name, shape]) => `const ${name}: Shape = ${shape}\n`)
  return `${IMPORTS}${declared.join('')}
export const errorBody: Shape = ${print(shapeOf(schemas['Error']!))}
export const responses: Record<keyof typeof routes, ResponseShape> = {\n${lines.join('\n')}\n}\n`
}

const IMPORTS = `import type { ResponseShape, Shape } from '../response-shape.ts'
import type { routes } from './partner.routes.ts'\n\n`

/** Of the types whose shape has not their name. An object without `properties` is a map. */
const SHAPES: Record<string, Shape> = { integer: 'number', object: { fields: {} } }

/** Only numbers tell two records apart. A text may get new values. */
const shapeOfValue = (value: unknown): Shape =>
  typeof value === 'number' ? value : value === null ? 'null' : typeof value

function alternatives(shapes: Shape[]): Shape {
  const distinct = [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()]
  return distinct.length === 1 ? distinct[0]! : distinct
}

function print(shape: Shape): string {
  if (typeof shape === 'number') return String(shape)
  if (typeof shape === 'string') return `'${shape}'`
  if (Array.isArray(shape)) return `[${shape.map(print).join(', ')}]`
  if ('name' in shape) return shape.name
  const fields = Object.entries(shape.fields).map(
    ([name, field]) => `${name === '[]' ? "'[]'" : name}: ${print(field)}`,
  )
  return `{ ${fields.join(', ')} }`
}
