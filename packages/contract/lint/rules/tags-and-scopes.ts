// Rules about what operations refer to by name: tags and scopes.
import { closest, type Context, listOf, type Node, nodeOf, rule } from '../rule.ts'

export const usedTag = rule(
  'The documentation groups operations by tag: a tag without operations is an empty page.',
  (report) => {
    const used = new Set<unknown>()
    return {
      Operation: ({ tags }: Node) => listOf(tags).forEach((tag) => used.add(tag)),
      Root: {
        leave(root: Node, context: Context) {
          const names = listOf(root.tags).map((tag) => nodeOf(tag).name)
          for (const [index, tag] of listOf(root.tags).entries()) {
            const at = context.location.child(['tags', index])
            if (names.indexOf(nodeOf(tag).name) < index)
              report(context, { what: 'The tag is listed twice.', write: 'each tag once.', at })
            if (!used.has(nodeOf(tag).name))
              report(context, {
                what: `No operation has the tag "${String(nodeOf(tag).name)}".`,
                write: 'the tag in an operation, or no tag.',
                at,
              })
          }
        },
      },
    }
  },
)

export const knownScope = rule(
  'No token can carry a scope that the identity provider does not know, so every request is refused.',
  (report) => {
    let schemes: Node = {}
    return {
      Root(root) {
        schemes = nodeOf(nodeOf(root.components).securitySchemes)
      },
      SecurityRequirement(requirement, context) {
        for (const [name, scopes] of Object.entries(requirement)) {
          const flows = Object.values(nodeOf(nodeOf(schemes[name]).flows))
          const known = flows.flatMap((flow) => Object.keys(nodeOf(nodeOf(flow).scopes)))
          for (const [index, scope] of listOf(scopes).entries())
            if (!known.includes(String(scope)))
              report(context, {
                what: `The scope ${String(scope)} is not in the flows of ${name}.`,
                write: `${closest(String(scope), known) ?? 'a scope of the security scheme'}.`,
                at: context.location.child([name, index]),
              })
        }
      },
    }
  },
)
