// Generates spec/schemas/sso-profile.yaml, so that the fields that both profiles share are written once.
import { generatedYaml } from './generated-yaml.ts'
import { readYaml } from './spec-files.ts'

type Schema = { required: string[]; properties: Record<string, object> }

/**
 * The generated schema is as flat and closed as `Profile`. A composition (`allOf` with
 * `unevaluatedProperties`) would be as fast and as strict here, but many generators of clients ignore it.
 */
export function ssoProfile(spec: string): Record<string, string> {
  const profile = readYaml(spec, 'schemas/profile.yaml') as Schema
  const difference = readYaml(spec, 'sources/sso-profile.yaml') as Schema
  const sources = 'spec/schemas/profile.yaml and spec/sources/sso-profile.yaml'
  return {
    'schemas/sso-profile.yaml': generatedYaml(sources, {
      ...profile,
      ...difference,
      required: [...new Set([...profile.required, ...Object.keys(difference.properties)])],
      properties: { ...profile.properties, ...difference.properties },
    }),
  }
}
