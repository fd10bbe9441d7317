import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  BaseResolver,
  createConfig,
  type Document,
  getLineColLocation,
  lintDocument,
  type LocationObject,
  type YamlParseError,
} from '@redocly/openapi-core'
import { DOCUMENTS, SPEC } from '../bundle.ts'
import { isSpecFile } from '../generator/spec-files.ts'
import { CHECKS, selfReferences } from './across-documents.ts'
import { nodeOf } from './plugin.ts'

const CONFIG = join(import.meta.dirname, '../../../redocly.yaml')
/** Published documents, the sources of generated files, and Arazzo workflows are not parts of the documents. */
const OTHER_FOLDERS = /^(?:published|sources|workflows)\b/

const OTHER_VERSION = 'Write openapi: 3.1.0. The server, the types and the linter read OpenAPI 3.1.'
/** Without these parts the other rules would be wrong. */
const INCOMPLETE = new Set(['yaml', 'openapi', 'no-unresolved-refs'])

export type Finding = { path: string; line: number; column: number; rule: string; message: string }

/** Checks the documents of a folder with the rules of redocly.yaml, and with each other. */
export async function lintSpec(folder = SPEC): Promise<Finding[]> {
  const resolver = new BaseResolver()
  const config = await createConfig(readFileSync(CONFIG, 'utf8'), { configPath: CONFIG })
  const findings = new Map<string, Finding>()
  const add = (rule: string, message: string, location: LocationObject) => {
    const { source, start } = getLineColLocation(location)
    const path = relative(dirname(folder), source.absoluteRef)
    // The documents share files, so a mistake is found once for each document.
    findings.set(`${path}:${start.line}:${start.col} ${rule} ${message}`, {
      path,
      line: start.line,
      column: start.col,
      rule,
      message,
    })
  }
  const read = (path: string, by = resolver) =>
    by.resolveDocument(null, path, true).catch((error: YamlParseError) => {
      const { message, source, line, col } = error
      add('yaml', message, { source, pointer: undefined, start: { line, col } })
    })

  const files = new Map<string, Document>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (OTHER_FOLDERS.test(name) || !isSpecFile(name)) continue
    const document = await read(join(folder, name), new BaseResolver())
    if (document && 'parsed' in document) files.set(join(folder, name), document)
  }
  const circular = selfReferences(files)
  for (const { document, pointer, message } of circular)
    add('self-reference', message, { source: document.source, pointer })

  for (const name of circular.length ? [] : DOCUMENTS) {
    const document = (await read(join(folder, name, 'openapi.yaml'))) as Document | undefined
    if (!document) continue
    const { openapi } = nodeOf(document.parsed)
    if (!String(openapi).startsWith('3.1.')) {
      add('openapi', OTHER_VERSION, { source: document.source, pointer: openapi ? '#/openapi' : '#/' })
      continue
    }
    const lint = (rules: typeof config) =>
      lintDocument({ document, config: rules, externalRefResolver: resolver })
    // Some rules throw if a part has another type than OpenAPI says. The rule that finds this does not.
    const problems = await lint(config).catch(async (error: Error) => {
      const found = await lint(await createConfig({ rules: { struct: 'error' } })).catch(() => [])
      if (found.length === 0)
        add('yaml', `No rule can read the document: ${error.message}`, {
          source: document.source,
          pointer: '#/',
        })
      return found
    })
    for (const problem of problems) {
      const { ruleId, message, suggest, location } = problem
      add(ruleId, suggest.length ? `${message} Did you mean ${suggest[0]}?` : message, location[0]!)
    }
  }
  const reached = new Set(resolver.getFiles())
  for (const [rule, check] of circular.length ? [] : Object.entries(CHECKS))
    try {
      for (const { document, pointer, message } of check({ folder, files, reached }))
        add(rule, message, { source: document.source, pointer })
    } catch (error) {
      // As above: a finding says what has another type.
      if (findings.size === 0) throw error
    }
  const all = [...findings.values()]
  const incomplete = all.filter(({ rule }) => INCOMPLETE.has(rule))
  return (incomplete.length ? incomplete : all).toSorted(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column,
  )
}

export const formatFinding = ({ path, line, column, rule, message }: Finding): string =>
  `${path}:${line}:${column} ${rule}\n  ${message}\n`
