// Writes spec/schemas/sso-profile.yaml, so that the fields that both profiles share are written once.
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { writeGenerated } from './write-generated.ts'

type Schema = { required: string[]; properties: Record<string, object> }

/**
 * The generated schema is as flat and closed as `Profile`. A composition (`allOf` with
 * `unevaluatedProperties`) would be as fast and as strict here, but many generators of clients ignore it.
 */
export async function writeSsoProfile(spec: URL): Promise<void> {
  const read = async (path: string) => parse(await readFile(new URL(path, spec), 'utf8')) as Schema
  const [profile, difference] = [await read('schemas/profile.yaml'), await read('sources/sso-profile.yaml')]
  await writeGenerated(
    spec,
    'schemas/sso-profile.yaml',
    'spec/schemas/profile.yaml and spec/sources/sso-profile.yaml',
    {
      ...profile,
      ...difference,
      required: [...new Set([...profile.required, ...Object.keys(difference.properties)])],
      properties: { ...profile.properties, ...difference.properties },
    },
  )
}
