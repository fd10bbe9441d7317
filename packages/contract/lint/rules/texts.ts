// Rules about texts: each thing has a description, in plain words.
import { REFUSED_WORDS } from '../refused-words.ts'
import { type Context, isNarrowing, listOf, type Node, nodeOf, type Report, resolved, rule } from '../rule.ts'

const TEXTS = ['title', 'summary', 'description']

const isText = (text: unknown) =>
  typeof text === 'string' && /\w/.test(text) && !/^\W*(to ?do|tbd|fix ?me|xxx)\b/i.test(text)

function needText(report: Report, context: Context, node: Node, keys: string[], at = context.location): void {
  for (const key of keys.filter((name) => !isText(node[name])))
    report(context, { what: `No ${key}.`, write: `${key}: one short sentence in plain English.`, at })
}

/** The description is that of the property, of the schema that it refers to, or of one branch. */
function isDescribed(property: unknown, context: Context): boolean {
  const schema = resolved(context, property)
  return (
    isText(schema.description) ||
    'const' in schema ||
    [...listOf(schema.anyOf), ...listOf(schema.oneOf)].some((branch) =>
      isText(resolved(context, branch).description),
    )
  )
}

export const described = rule('A reader must guess, and two partners guess differently.', (report) => ({
  Operation: (operation, context) => needText(report, context, operation, ['summary', 'description']),
  Parameter: (parameter, context) => needText(report, context, parameter, ['description']),
  Header: (header, context) => needText(report, context, header, ['description']),
  Response: (response, context) => needText(report, context, response, ['description']),
  SecurityScheme: (scheme, context) => needText(report, context, scheme, ['description']),
  Tag: (tag, context) => needText(report, context, tag, ['description']),
  NamedSchemas(schemas, context) {
    for (const name of Object.keys(schemas)) {
      const place = context.location.child(name)
      const { node, location } = context.resolve(schemas[name] as { $ref: string })
      needText(report, context, nodeOf(node), ['title', 'description'], location ?? place)
    }
  },
  SchemaProperties(properties, context) {
    if (isNarrowing(context.location.pointer.replace(/\/properties$/, ''))) return
    for (const [name, property] of Object.entries(properties))
      if (!isDescribed(property, context))
        report(context, {
          what: `The field \`${name}\` has no description.`,
          write: 'description: what the field means, its unit, and what null means.',
          at: context.location.child(name).key(),
        })
  },
}))

export const plainWords = rule(
  'Many readers have English as a second language; the word is refused in the whole repository.',
  (report) => ({
    any(node, context) {
      for (const key of TEXTS) {
        const text = nodeOf(node)[key]
        const found = typeof text === 'string' && REFUSED_WORDS.exec(text)
        if (found)
          report(context, {
            what: `The ${key} has the word "${found[0]}".`,
            write: 'the actor by its name: the partner, the citizen, the service.',
            at: context.location.child(key),
          })
      }
    },
  }),
)
