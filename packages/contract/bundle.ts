import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { find, isObject, type Json } from './references.ts'

/** The documents in `spec/`, each in the folder of its name. */
export const DOCUMENTS = ['partner', 'citizen-app', 'operator', 'workbench'] as const
export type DocumentName = (typeof DOCUMENTS)[number]

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

type Item = Partial<
  Record<(typeof METHODS)[number], { operationId: string; responses: Record<string, unknown> }>
>
export type Bundle = { info: { version: string }; paths: Record<string, Item>; components: unknown }

export const SPEC = join(import.meta.dirname, '../../spec')

/**
 * Reads one document of `spec/` with all its files as one JSON value. What a path item says of all its operations
 * stands in each of them, so that every reader finds it.
 */
export async function bundle(name: DocumentName, spec = SPEC): Promise<Bundle> {
  const document = (await new SwaggerParser().bundle(join(spec, name, 'openapi.yaml'))) as unknown as Json
  const itemsOf = (group: string) => {
    const entries = isObject(document[group]) ? Object.entries(document[group]) : []
    return Object.fromEntries(entries.map(([path, item]) => [path, operationsIn(document, item)]))
  }
  const { pathItems: _, ...components } = (document['components'] ?? {}) as Json
  return {
    ...document,
    ...('paths' in document && { paths: itemsOf('paths') }),
    ...('webhooks' in document && { webhooks: itemsOf('webhooks') }),
    ...('components' in document && { components }),
  } as unknown as Bundle
}

function operationsIn(document: Json, item: unknown): Json {
  const { servers, parameters, ...rest } = find(document, item) ?? {}
  const isParameter = (one: unknown, other: unknown) => {
    const [left, right] = [find(document, one), find(document, other)]
    return left?.['in'] === right?.['in'] && left?.['name'] === right?.['name']
  }
  const complete = (operation: Json): Json => {
    const own = listOf(operation['parameters'])
    const shared = listOf(parameters).filter((each) => !own.some((one) => isParameter(one, each)))
    return {
      ...(servers !== undefined && { servers }),
      ...operation,
      ...(shared.length > 0 && { parameters: [...shared, ...own] }),
    }
  }
  return Object.fromEntries(
    METHODS.flatMap((method) => (isObject(rest[method]) ? [[method, complete(rest[method])]] : [])),
  )
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The text of a bundle, as `src/generated/` and `spec/published/` hold it. */
export const toText = (document: Bundle) => `${JSON.stringify(document, null, 2)}\n`
