// The files of the spec, parsed, and the findings in them.
import { readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import {
  type BaseResolver,
  type Document,
  getLineColLocation,
  type YamlParseError,
} from '@redocly/openapi-core'
import { explain, isNode } from './rule.ts'

export type Finding = { path: string; line: number; column: number; rule: string; message: string }

export type SpecFiles = ReadonlyMap<string, Document>

/** The files of a spec folder by their paths. */
export type Spec = { folder: string; files: SpecFiles }

/** What is wrong at one place of a file. */
export type Place = {
  document: Pick<Document, 'source'>
  pointer: string
  message: string
  reportOnKey?: boolean
}

export function findingAt(folder: string, place: Place, rule: string): Finding {
  const { document, pointer, message, reportOnKey = false } = place
  const { source } = document
  const { start } = getLineColLocation({ source, pointer, reportOnKey })
  return {
    path: relative(dirname(folder), source.absoluteRef),
    line: start.line,
    column: start.col,
    rule,
    message,
  }
}

export const rootsOf = (files: SpecFiles) =>
  [...files.keys()].filter((path) => basename(path) === 'openapi.yaml')

/**
 * Published documents, the sources from which `npm run generate` writes files of the spec, and Arazzo
 * workflows.
 */
const NO_PARTS_OF_DOCUMENTS = /^(published|errors|sources|workflows)\b/

const YAML_ADVICE: Readonly<Record<string, string>> = {
  'duplicated mapping key': 'the key once; join the two parts or rename one.',
  tab: 'spaces for the indentation.',
  'bad indentation':
    'the same number of spaces for the keys of one mapping; quotes around a text with ": " or " #".',
}

/** Reads every YAML file of the folder. A file that is no YAML is a finding. */
export async function readFiles(
  folder: string,
  resolver: BaseResolver,
): Promise<{ files: SpecFiles; findings: Finding[] }> {
  const files = new Map<string, Document>()
  const findings: Finding[] = []
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!/\.ya?ml$/.test(name) || NO_PARTS_OF_DOCUMENTS.test(name)) continue
    const document = await resolver
      .resolveDocument(null, join(folder, name), true)
      .catch((error: YamlParseError) => error)
    if (!(document instanceof Error) && isNode(document.parsed)) {
      files.set(join(folder, name), document)
      continue
    }
    const { reason, mark } = yamlErrorOf(document)
    const advice = Object.entries(YAML_ADVICE).find(([part]) => reason.includes(part))
    findings.push({
      path: relative(dirname(folder), join(folder, name)),
      line: (mark?.line ?? 0) + 1,
      column: (mark?.column ?? 0) + 1,
      rule: 'yaml',
      message: explain(
        `The file is no YAML: ${reason}.`,
        'No tool can read the document until this is mended, so nothing else was checked.',
        advice?.[1] ?? 'YAML; check this line and the line before it.',
      ),
    })
  }
  return { files, findings }
}

type YamlError = { reason: string; mark?: { line: number; column: number } }

const yamlErrorOf = (document: Awaited<ReturnType<BaseResolver['resolveDocument']>>): YamlError =>
  document instanceof Error
    ? (document.originalError as unknown as YamlError)
    : { reason: 'it is empty, or not a mapping of keys and values' }
