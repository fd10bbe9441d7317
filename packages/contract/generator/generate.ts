// Generates what follows from spec/: first the files of spec/ that follow from other files of spec/, then
// packages/contract/src/generated/, for which it bundles each document, validates it and writes its types.
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import openapiTS, { astToString, NULL } from 'openapi-typescript'
import { type Bundle, bundle, type DocumentName, DOCUMENTS, METHODS, SPEC, toText } from '../bundle.ts'
import { lineOf } from '../compatibility/places.ts'
import { formatFinding, lintSpec } from '../lint/lint-spec.ts'
import { withCodeSamples } from './code-samples/code-samples.ts'
import { type Catalogue, readCatalogue } from './error-catalogue.ts'
import { errorDocuments } from './error-documents.ts'
import { errorsJson } from './error-pages.ts'
import { type Document, flatDocument } from './flat-document.ts'
import { withHeaderParameters } from './flat-headers.ts'
import { GENERATED_FROM } from './generated-yaml.ts'
import { postmanCollection } from './postman-collection.ts'
import { replaceFiles } from './replace-files.ts'
import { responseShapes } from './response-shapes.ts'
import { isSpecFile } from './spec-files.ts'
import { ssoProfile } from './sso-profile.ts'

const HEADER = '// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.\n'
const MAX_FINDINGS = 5
const GENERATED = join(import.meta.dirname, '../src/generated')

/** The files that this process has generated from each bundle. Most edits change one document of three. */
const filesOfBundle = new Map<string, Record<string, string>>()

/**
 * Returns the names of the changed files of `target`. If a document is not valid, none of them changes and
 * the error names each mistake with its file and line.
 */
export async function generate(spec = SPEC, target = GENERATED): Promise<string[]> {
  let name = ''
  try {
    const catalogue = readCatalogue(spec)
    await completeSpec(spec, catalogue)
    const files: Record<string, string> = {}
    const bundles: Bundle[] = []
    for (name of DOCUMENTS) {
      const document = await bundle(name as DocumentName, spec)
      bundles.push(document)
      Object.assign(files, await filesOf(name, withCodeSamples(document, name === 'partner')))
      if (name === 'partner') Object.assign(files, await flatFiles(document))
    }
    files['errors.json'] = errorsJson(catalogue, bundles)
    return await replaceFiles(target, files)
  } catch (error) {
    throw new Error(`Nothing was generated.\n${await explain(error as Error, spec, name)}`, { cause: error })
  }
}

/** The documents for generators of clients, and for tools that send requests. */
async function flatFiles(document: Bundle): Promise<Record<string, string>> {
  const flat = flatDocument(document as unknown as Document)
  const withParameters = withHeaderParameters(flat)
  return {
    'partner-3.0.json': toText(flat as unknown as Bundle),
    'partner-3.0-headers.json': toText(withParameters as unknown as Bundle),
    'partner-postman.json': toText((await postmanCollection(withParameters)) as unknown as Bundle),
  }
}

/** Writes the generated files of spec/, and removes the responses that its sources no longer name. */
async function completeSpec(spec: string, catalogue: Catalogue): Promise<void> {
  const files = { ...errorDocuments(spec, catalogue), ...ssoProfile(spec) }
  const documents = await versions(spec)
  const responses = (await readdir(join(spec, 'responses')).catch(() => []))
    .filter(isSpecFile)
    .map((name) => `responses/${name}`)
  for (const path of new Set([...Object.keys(files), ...responses])) await assertGenerated(spec, path)
  await replaceFiles(spec, { ...files, ...documents })
  for (const path of responses) if (!(path in files)) await rm(join(spec, path))
}

/** A file written by hand may have no copy elsewhere, so it is neither replaced nor removed. */
async function assertGenerated(spec: string, path: string): Promise<void> {
  const text = await readFile(join(spec, path), 'utf8').catch(() => undefined)
  if (text !== undefined && !text.startsWith(GENERATED_FROM))
    throw new Error(
      `spec/${path}:1:1 The generator would replace or remove this file, which it did not write. Move it, or delete it.`,
    )
}

/** The documents with the version of the contract, which is the newest heading of the changelog. */
async function versions(spec: string): Promise<Record<string, string>> {
  const read = (path: string) => readFile(join(spec, path), 'utf8')
  const lines = (await read('CHANGELOG.md')).split('\n')
  const index = lines.findIndex((line) => line.startsWith('## '))
  const newest = /^## (\d+\.\d+\.\d+)\s*$/.exec(lines[index] ?? '')?.[1]
  if (!newest)
    throw new Error(
      `spec/CHANGELOG.md:${Math.max(index, 0) + 1}:1 The first heading must be the version of the contract, such as "## 1.2.3".`,
    )
  const paths = DOCUMENTS.map((name) => `${name}/openapi.yaml`)
  const texts = await Promise.all(
    paths.map(async (path) => [path, (await read(path)).replace(/^  version: .*/m, `  version: ${newest}`)]),
  )
  return Object.fromEntries(texts) as Record<string, string>
}

async function filesOf(name: string, document: Bundle): Promise<Record<string, string>> {
  const json = toText(document)
  const known = filesOfBundle.get(json)
  if (known) return known
  assertSelfContained(document)
  await new SwaggerParser().validate(structuredClone(document) as never)
  const types = await openapiTS(structuredClone(document) as never, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
    alphabetize: true,
    // It reads a constant that is null as no constant.
    transform: (schema) => ('const' in schema && schema.const === null ? NULL : undefined),
  })
  const files = {
    [`${name}.json`]: json,
    [`${name}.ts`]: `${HEADER}${astToString(types)}`,
    [`${name}.routes.ts`]: `${HEADER}${routes(document)}`,
    // The other documents have no client that partners install.
    ...(name === 'partner' && { 'partner.responses.ts': `${HEADER}${responseShapes(document)}` }),
  }
  filesOfBundle.set(json, files)
  return files
}

/**
 * The linter knows the file and the line of most mistakes. Of those that only the generator finds, it is the
 * file of the operation or component, or the document.
 */
export async function explain(
  error: Error & { operationId?: string; component?: string },
  spec: string,
  name: string,
): Promise<string> {
  const { operationId, component } = error
  // Other errors are those of the program, for which the form of the document is new.
  const isOwn = error.name === 'Error'
  const message = isOwn
    ? error.message
    : `The generator does not know this form of document (${error.message}).`
  const findings = (await lintSpec(spec)).slice(0, MAX_FINDINGS).map(formatFinding)
  const hasPlace = message.startsWith('spec/') || operationId || component
  if (findings.length && (!isOwn || !hasPlace)) return findings.join('\n')
  if (message.startsWith('spec/')) return [message, ...findings].join('\n')
  for (const file of operationId
    ? readdirSync(join(spec, name), { recursive: true, encoding: 'utf8' })
    : []) {
    const lines = isSpecFile(file) ? readFileSync(join(spec, name, file), 'utf8').split('\n') : []
    const line = lines.findIndex((each) => each.trim() === `operationId: ${operationId}`)
    if (line >= 0) return [`spec/${name}/${file}:${line + 1}:1 ${message}`, ...findings].join('\n')
  }
  const place = component ? lineOf(spec, name, component) : `spec/${name}/openapi.yaml:1`
  return [`${place}:1 ${message}`, ...findings].join('\n')
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
function assertSelfContained(document: Bundle): void {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!)
  const outside = refs.filter((ref) => !ref.startsWith('#/components/'))
  if (outside.length)
    throw new Error(`List in components what these references lead to: ${outside.join(', ')}.`)
}
