// Generates packages/contract/src/generated/ from spec/: bundles each document, validates it and writes its
// types. Before that, it writes the files of spec/ that follow from other files of spec/. `npm run generate`
// runs this file.
import { mkdir, writeFile } from 'node:fs/promises'
import SwaggerParser from '@apidevtools/swagger-parser'
import openapiTS, { astToString } from 'openapi-typescript'
import { type Bundle, bundle, DOCUMENTS, METHODS, toText } from './bundle.ts'
import { readCatalogue } from './generators/error-catalogue.ts'
import { writeErrorCatalogue } from './generators/write-error-catalogue.ts'
import { writeErrorDocuments } from './generators/write-error-documents.ts'
import { writeSsoProfile } from './generators/write-sso-profile.ts'

const HEADER = '// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.\n'

const spec = new URL('../../spec/', import.meta.url)
const out = new URL('src/generated/', import.meta.url)
await mkdir(out, { recursive: true })

const catalogue = await readCatalogue(spec)
await writeErrorDocuments(spec, catalogue)
await writeSsoProfile(spec)
const bundles: Bundle[] = []

for (const name of DOCUMENTS) {
  const document = await bundle(name)
  assertSelfContained(name, document)
  await new SwaggerParser().validate(structuredClone(document) as never)
  const types = await openapiTS(structuredClone(document) as never, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
    alphabetize: true,
  })
  await writeFile(new URL(`${name}.json`, out), toText(document))
  await writeFile(new URL(`${name}.ts`, out), `${HEADER}${astToString(types)}`)
  await writeFile(new URL(`${name}.routes.ts`, out), `${HEADER}${routes(document)}`)
  bundles.push(document)
}
await writeErrorCatalogue(new URL('errors.json', out), catalogue, bundles)

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
function assertSelfContained(name: string, document: Bundle): void {
  const externalRefs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)]
    .map(([, ref]) => ref!)
    .filter((ref) => !ref.startsWith('#/components/'))
  if (externalRefs.length)
    throw new Error(
      `${name}: these references leave #/components. Add a component for each: ${externalRefs.join(', ')}`,
    )
}
