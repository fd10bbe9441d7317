// Generates spec/schemas/sso-profile.yaml, so that the fields that both profiles share are written once.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { generatedYaml } from './generated-yaml.ts'

type Schema = { required: string[]; properties: Record<string, object> }

/**
 * The generated schema is as flat and closed as `Profile`. A composition (`allOf` with
 * `unevaluatedProperties`) would be as fast and as strict here, but many generators of clients ignore it.
 */
export async function ssoProfile(spec: string): Promise<Record<string, string>> {
  const read = async (path: string) => parse(await readFile(join(spec, path), 'utf8')) as Schema
  const [profile, difference] = [await read('schemas/profile.yaml'), await read('sources/sso-profile.yaml')]
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
