// Generates packages/contract/src/generated/ from spec/: bundles each document, validates it and writes its
// types. Before that, it writes the files of spec/ that follow from other files of spec/.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import SwaggerParser from '@apidevtools/swagger-parser'
import openapiTS, { astToString } from 'openapi-typescript'
import { readCatalogue } from '../generators/error-catalogue.ts'
import { errorCatalogue } from '../generators/write-error-catalogue.ts'
import { writeErrorDocuments } from '../generators/write-error-documents.ts'
import { writeSsoProfile } from '../generators/write-sso-profile.ts'
import { lintSpec } from '../lint/lint-spec.ts'
import { replaceFiles } from './replace-files.ts'

const DOCUMENTS = ['partner', 'citizen-app', 'operator'] as const
const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const
const HEADER = '// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.\n'
const MAX_FINDINGS = 5

type Item = Partial<Record<(typeof METHODS)[number], { operationId: string }>>
type Bundle = { paths: Record<string, Item>; components: unknown }

export const SPEC = join(import.meta.dirname, '../../../spec')
const GENERATED = join(import.meta.dirname, '../src/generated')

/** The files that this process has generated from each bundle. Most edits change one document of three. */
const filesOfBundle = new Map<string, Record<string, string>>()

/**
 * Returns the names of the files that changed. If a document is not valid, no file changes and the error
 * names the mistakes with their files and lines.
 */
export async function generate(spec = SPEC, target = GENERATED): Promise<string[]> {
  try {
    const folder = pathToFileURL(`${spec}/`)
    const catalogue = await readCatalogue(folder)
    await writeErrorDocuments(folder, catalogue)
    await writeSsoProfile(folder)
    const files: Record<string, string> = {}
    for (const name of DOCUMENTS) Object.assign(files, await filesOf(name, join(spec, name, 'openapi.yaml')))
    const bundles = DOCUMENTS.map((name) => JSON.parse(files[`${name}.json`]!) as unknown)
    files['errors.json'] = errorCatalogue(catalogue, bundles)
    return await replaceFiles(target, files)
  } catch (error) {
    throw new Error(`The spec is not valid, so nothing was generated.\n${await explain(error, spec)}`, {
      cause: error,
    })
  }
}

async function filesOf(name: string, source: string): Promise<Record<string, string>> {
  const bundle = (await new SwaggerParser().bundle(source)) as unknown as Bundle
  const json = `${JSON.stringify(bundle, null, 2)}\n`
  const known = filesOfBundle.get(json)
  if (known) return known
  assertSelfContained(name, bundle)
  await new SwaggerParser().validate(structuredClone(bundle) as never)
  const types = await openapiTS(structuredClone(bundle) as never, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
    alphabetize: true,
  })
  const files = {
    [`${name}.json`]: json,
    [`${name}.ts`]: `${HEADER}${astToString(types)}`,
    [`${name}.routes.ts`]: `${HEADER}${routes(bundle)}`,
  }
  filesOfBundle.set(json, files)
  return files
}

/** The linter knows the file and the line of most mistakes, the parser only of those in YAML. */
async function explain(error: unknown, spec: string): Promise<string> {
  const findings = await lintSpec(spec)
  return findings.length
    ? findings
        .slice(0, MAX_FINDINGS)
        .map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`)
        .join('\n')
    : (error as Error).message
}

/** Writes the method and path of each operation. Outside spec/, no other file contains a path of the API. */
function routes({ paths }: Bundle): string {
  const lines = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [`  ${operation.operationId}: { method: '${method}', path: '${path}' },`] : []
    }),
  )
  return `export const routes = {\n${lines.join('\n')}\n} as const\n`
}

/** The validator and the type generator follow references into `#/components` only. */
function assertSelfContained(name: string, bundle: Bundle): void {
  const externalRefs = [...JSON.stringify(bundle).matchAll(/"\$ref":"([^"]+)"/g)]
    .map(([, ref]) => ref!)
    .filter((ref) => !ref.startsWith('#/components/'))
  if (externalRefs.length)
    throw new Error(
      `${name}: these references leave #/components. Add a component for each: ${externalRefs.join(', ')}`,
    )
}
