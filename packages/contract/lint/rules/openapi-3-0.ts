// Rules about habits of OpenAPI 3.0 that OpenAPI 3.1 ignores.
import { type Context, type Node, type Report, rule, typesOf } from '../rule.ts'

const hasExample = (node: Node) => 'example' in node && 'examples' in node

export const noNullable = rule(
  'OpenAPI 3.1 has no `nullable`: validators ignore it, and null is refused.',
  (report) => ({
    Schema(schema, context) {
      if (!('nullable' in schema)) return
      const types = typesOf(schema).filter((type) => type !== 'null')
      report(context, {
        what: 'nullable is a keyword of OpenAPI 3.0.',
        write: types.length
          ? `type: [${types.join(', ')}, 'null'].`
          : "anyOf with the schema and type: 'null'.",
        at: context.location.child('nullable').key(),
      })
    },
  }),
)

function reportBoth(report: Report, node: Node, context: Context): void {
  if (hasExample(node))
    report(context, {
      what: 'example stands beside examples.',
      write: 'examples only.',
      at: context.location.child('example').key(),
    })
}

export const oneKindOfExample = rule(
  'The two exclude each other: each tool shows and checks one of them.',
  (report) => ({
    MediaType: (node, context) => reportBoth(report, node, context),
    Parameter: (node, context) => reportBoth(report, node, context),
    Header: (node, context) => reportBoth(report, node, context),
    Schema(schema, context) {
      if ('example' in schema)
        report(context, {
          what: 'example in a schema is deprecated in OpenAPI 3.1.',
          write: 'examples: [value] in the schema, or example beside the schema.',
          at: context.location.child('example').key(),
        })
    },
  }),
)
