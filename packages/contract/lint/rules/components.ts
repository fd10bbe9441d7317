// Rules about components: each listed one is used, and each used one is listed.
import { type Context, isNode, isReference, type Node, nodeOf, rule } from '../rule.ts'

/** OpenAPI 3.1 cannot describe the events of a stream: the description of the stream names their schema. */
const STREAM = 'text/event-stream'

type Place = { node: unknown; file: string; at: string }

/** All places that paths and webhooks reach through references. */
function reach(root: Node, context: Context): Set<string> {
  const seen = new Set<string>()
  const rootFile = context.location.source.absoluteRef
  const visit = ({ node, file, at }: Place): void => {
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) visit({ node: item, file, at: `${at}/${index}` })
      return
    }
    if (!isNode(node)) return
    if (isReference(node)) {
      const target = context.resolve(node, file)
      const place = target.location?.absolutePointer
      if (!place || seen.has(place)) return
      seen.add(place)
      visit({ node: target.node, file: target.location!.source.absoluteRef, at: place })
      return
    }
    for (const [key, value] of Object.entries(node)) {
      visit({ node: value, file, at: `${at}/${key}` })
      if (key !== STREAM) continue
      for (const name of schemasNamedIn(value))
        visit({ node: nodeOf(nodeOf(root.components).schemas)[name], file: rootFile, at })
    }
  }
  for (const key of ['paths', 'webhooks']) visit({ node: root[key], file: rootFile, at: key })
  return seen
}

/** The names in back quotes in the description of the schema of a stream. */
export const schemasNamedIn = (media: unknown): string[] =>
  String(nodeOf(nodeOf(media).schema).description).match(/(?<=`)[A-Z]\w+(?=`)/g) ?? []

const placeOf = (context: Context, value: unknown, fallback: string) =>
  isReference(value) ? (context.resolve(value).location?.absolutePointer ?? fallback) : fallback

function* components({ components: all }: Node) {
  for (const [kind, named] of Object.entries(nodeOf(all)))
    if (kind !== 'securitySchemes')
      for (const [name, value] of Object.entries(nodeOf(named))) yield { kind, name, value }
}

export const usedComponent = rule(
  'Clients get a type, and the documentation a page, for something that no operation uses.',
  (report) => ({
    Root(root, context) {
      const reached = reach(root, context)
      const names = new Map<string, string>()
      for (const { kind, name, value } of components(root)) {
        const at = context.location.child(['components', kind, name])
        const place = placeOf(context, value, at.absolutePointer)
        const other = names.get(place)
        if (other)
          report(context, {
            what: `${name} and ${other} are the same component.`,
            write: 'one name for it.',
            at: at.key(),
          })
        names.set(place, name)
        if (reached.has(place)) continue
        report(context, {
          what: `No operation and no webhook uses the component ${name}.`,
          write: 'a $ref to it, or remove it from components (and its file, if no other document lists it).',
          at: at.key(),
        })
      }
    },
  }),
)

export const listedComponents = rule(
  'The generated document refers to #/components only: what is not listed there has no name and no type.',
  (report) => ({
    Root(root, context) {
      const listed = new Set([...components(root)].map(({ value }) => placeOf(context, value, '')))
      for (const place of reach(root, context)) {
        const name = /\/(schemas|parameters)\/([\w-]+)\.yaml$/.exec(place)
        if (!name || listed.has(place)) continue
        const title = name[2]!.replaceAll(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
        report(context, {
          what: `The document uses ${name[1]}/${name[2]}.yaml but does not list it.`,
          write: `${title}: { $ref: ../${name[1]}/${name[2]}.yaml } in components.${name[1]}.`,
          at: context.location.child('components').key(),
        })
      }
    },
  }),
)
