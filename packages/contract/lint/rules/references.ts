// Rules about `$ref` and the keywords that stand for other schemas.
import { rule } from '../rule.ts'

export const supportedKeywords = rule(
  'The validator of the server or the generator of types does not support the keyword.',
  (report) => ({
    Schema(schema, context) {
      for (const keyword of ['prefixItems', '$dynamicRef', '$dynamicAnchor', '$id', '$anchor', 'definitions'])
        if (keyword in schema)
          report(context, {
            what: `${keyword} is not supported here.`,
            write: 'items for arrays, and $ref to a file in schemas/.',
            at: context.location.child(keyword).key(),
          })
    },
  }),
)

export const referenceAlone = rule(
  'Tools ignore what stands beside $ref, or resolve it differently.',
  (report) => ({
    ref(reference, context) {
      const siblings = Object.keys(reference).filter((key) => key !== '$ref')
      if (siblings.length)
        report(context, {
          what: `${siblings.join(', ')} ${siblings.length > 1 ? 'stand' : 'stands'} beside $ref.`,
          write: '$ref alone. In a schema: allOf with the $ref and the rest.',
        })
    },
  }),
)
