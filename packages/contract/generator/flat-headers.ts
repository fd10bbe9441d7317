// Derives partner-3.0-headers.json from the flat document, for tools that know one security scheme for each
// operation: with two headers that belong together, they send the first one alone, or one value in both.
import type { Json } from '../references.ts'
import type { Document } from './flat-document.ts'

type Requirements = Record<string, string[]>[]
type Flat = Pick<Document, 'paths'> & { security: Requirements; components: Document['components'] }

/** The same requests, with the credential headers as required parameters. */
export function withHeaderParameters(flat: Json): Json {
  const { security: ofAll, ...document } = flat as unknown as Flat
  const { securitySchemes, ...components } = document.components
  const isPair = (requirement: object) => Object.keys(requirement).length > 1
  const toParameter = (scheme: string): Json => {
    const { in: place, name, description } = securitySchemes[scheme]!
    return {
      name,
      in: place,
      required: true,
      description,
      schema: { type: 'string' },
      example: EXAMPLES[scheme],
    }
  }
  const toOperation = (operation: Json): Json => {
    const security = (operation.security ?? ofAll) as Requirements
    const pair = security.find(isPair)
    if (!pair) return { ...operation, security }
    const own = (operation.parameters ?? []) as Json[]
    return { ...operation, security: [], parameters: [...Object.keys(pair).map(toParameter), ...own] }
  }
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, toOperation(operation)])),
  ])
  const single = Object.entries(securitySchemes).filter(([name]) => !(name in EXAMPLES))
  return {
    ...document,
    paths: Object.fromEntries(paths) as Json,
    components: { securitySchemes: Object.fromEntries(single) as Json, ...components },
  }
}

const EXAMPLES: Record<string, string> = {
  secretCode: 'twc_yourSecretCode',
  secretToken: 'twt_test_yourSecretToken',
}
