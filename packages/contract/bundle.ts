import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'

/** The documents in `spec/`, each in the folder of its name. */
export const DOCUMENTS = ['partner', 'citizen-app', 'operator'] as const
export type DocumentName = (typeof DOCUMENTS)[number]

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

type Item = Partial<
  Record<(typeof METHODS)[number], { operationId: string; responses: Record<string, unknown> }>
>
export type Bundle = { info: { version: string }; paths: Record<string, Item>; components: unknown }

export const SPEC = join(import.meta.dirname, '../../spec')

/** Reads one document of `spec/` with all its files as one JSON value. */
export async function bundle(name: DocumentName, spec = SPEC): Promise<Bundle> {
  return (await new SwaggerParser().bundle(join(spec, name, 'openapi.yaml'))) as unknown as Bundle
}

/** The text of a bundle, as `src/generated/` and `spec/published/` hold it. */
export const toText = (document: Bundle) => `${JSON.stringify(document, null, 2)}\n`
