// Rules about closed bodies: which fields an object has.
import {
  closest,
  type Context,
  isNarrowing,
  isNode,
  isReference,
  listOf,
  type Node,
  nodeOf,
  resolved,
  rule,
  shown,
  typesOf,
} from '../rule.ts'

const isClosed = (schema: Node) =>
  schema.additionalProperties === false || schema.unevaluatedProperties === false

const isMap = (schema: Node) =>
  isNode(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0

const members = (schema: Node, context: Context) =>
  listOf(schema.allOf).map((member) => resolved(context, member))

/** An object closes itself. The parts of an `allOf` are closed by one of them, or together. */
export const closedBody = rule(
  'An open object lets a misspelt field pass, and a response can disclose a field that no document names.',
  (report) => ({
    Schema(schema, context) {
      if (isNarrowing(context.location.pointer)) return
      const isObject = typesOf(schema).includes('object') || isNode(schema.properties)
      if (isObject && !listOf(schema.allOf).length && !isClosed(schema) && !isMap(schema))
        report(context, {
          what: 'The object accepts fields that it does not name.',
          write: 'additionalProperties: false, or a schema of the values if the keys are data.',
        })
      const parts = members(schema, context)
      if (parts.some((part) => isNode(part.properties)) && ![schema, ...parts].some(isClosed))
        report(context, {
          what: 'No part of the allOf is closed, so the object accepts fields that it does not name.',
          write:
            'unevaluatedProperties: false beside allOf. additionalProperties does not see the other parts.',
        })
    },
  }),
)

/** A narrowing part repeats fields of a closed part, with fewer values. */
export const possibleAllOf = rule(
  'A body must match every part: no body can have what one of them refuses.',
  (report) => ({
    Schema(schema, context) {
      for (const [index, member] of listOf(schema.allOf).entries()) {
        const isClosing = (other: unknown) =>
          other !== member && resolved(context, other).additionalProperties === false
        const closing = [schema, ...listOf(schema.allOf)].find(isClosing)
        if (!closing) continue
        const file = isReference(closing) ? context.resolve(closing).location?.source.absoluteRef : undefined
        const fields = nodeOf(resolved(context, closing).properties)
        for (const [name, field] of Object.entries(nodeOf(resolved(context, member).properties))) {
          const at = context.location.child(['allOf', index, 'properties', name])
          if (!(name in fields))
            report(context, {
              what: `The field \`${name}\` is not in the closed schema that this part narrows.`,
              write: `\`${name}\` in the closed schema, or close the allOf by unevaluatedProperties.`,
              at: at.key(),
            })
          const values = resolved(context, fields[name], file).enum
          const wrong = valuesOf(nodeOf(field)).find(
            (value) => Array.isArray(values) && !values.includes(value),
          )
          if (wrong === undefined) continue
          const near = closest(shown(wrong), listOf(values).map(shown))
          report(context, {
            what: `${shown(wrong)} is not a value of \`${name}\` in the schema that this part narrows.`,
            write: `${near ?? 'a value of its enum'}, or add the value there.`,
            at,
          })
        }
      }
    },
  }),
)

/** The values of a schema that names them. */
export const valuesOf = (schema: Node) => ('const' in schema ? [schema.const] : listOf(schema.enum))

/** A field of a response may be absent only if its description says when it is present. */
export const requiredField = rule(
  'Generated types make the field optional, and every client must handle two kinds of absence.',
  (report) => ({
    Response: {
      Schema(schema, context) {
        if (isNarrowing(context.location.pointer) || schema.additionalProperties !== false) return
        const required = listOf(schema.required)
        for (const [name, property] of Object.entries(nodeOf(schema.properties))) {
          const { description } = resolved(context, property)
          if (required.includes(name) || /^Present only|\. Present only/.test(String(description))) continue
          report(context, {
            what: `The response can omit \`${name}\`.`,
            write: `\`${name}\` in required. Or "Present only if ..." in its description.`,
            at: context.location.child(['properties', name]).key(),
          })
        }
      },
    },
  }),
)

export const requiredExists = rule(
  'A body can never have the field, so every body is refused.',
  (report) => ({
    Schema(schema, context) {
      if (!isNode(schema.properties) || schema.additionalProperties !== false) return
      const names = Object.keys(nodeOf(schema.properties))
      for (const [index, name] of listOf(schema.required).entries()) {
        const isRepeated = listOf(schema.required).indexOf(name) < index
        if (names.includes(String(name)) && !isRepeated) continue
        const near = closest(String(name), names)
        report(context, {
          what: isRepeated
            ? `required names \`${String(name)}\` twice.`
            : `required names \`${String(name)}\`, which is not in properties.`,
          write: near && !isRepeated ? `\`${near}\`.` : 'each property of the schema at most once.',
          at: context.location.child(['required', index]),
        })
      }
    },
  }),
)
