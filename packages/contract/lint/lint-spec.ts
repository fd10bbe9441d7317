import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseResolver, createConfig, lint, type NormalizedProblem } from '@redocly/openapi-core'
import { CHECKS, findingsOf } from './across-documents.ts'
import { otherVersionsOfOpenApi } from './across/versions.ts'
import { adviceFor, isRuleOfRedocly } from './advice.ts'
import { type Finding, findingAt, readFiles, rootsOf } from './files.ts'
import { rules } from './plugin.ts'
import { danglingReferences } from './references.ts'
import { explain } from './rule.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CONFIG = join(ROOT, 'redocly.yaml')

/** The rules whose finding is at the use of a shared schema, response or security scheme. */
const FOUND_AT_USES = new Set(['tiwala/example-matches', 'tiwala/error-response', 'security-defined'])

/** Without these the other rules would be wrong, or the documents cannot be read. */
const FIRST = { reference: danglingReferences, openapi: otherVersionsOfOpenApi }

/** The names of our rules. */
export const RULES = [
  ...Object.keys(rules).map((name) => `tiwala/${name}`),
  ...Object.keys({ ...FIRST, ...CHECKS }),
  'yaml',
]

/**
 * Checks the documents of a folder with the rules of `redocly.yaml` and with the rules across documents. If a
 * file is no YAML or a reference leads nowhere, these are the only findings.
 */
export async function lintSpec(folder = join(ROOT, 'spec')): Promise<Finding[]> {
  const resolver = new BaseResolver()
  const { files, findings: unreadable } = await readFiles(folder, resolver)
  if (unreadable.length) return unreadable
  const spec = { folder, files }
  const incomplete = findingsOf(FIRST, spec)
  if (incomplete.length) return incomplete

  const config = await createConfig(readFileSync(CONFIG, 'utf8'), { configPath: CONFIG })
  const findings = findingsOf(CHECKS, spec)
  for (const path of rootsOf(files))
    for (const problem of await lint({ ref: path, config, externalRefResolver: resolver }))
      findings.push(toFinding(folder, problem))
  return collapse(withoutEchoes(unique(findings))).toSorted(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column,
  )
}

/** A finding as the terminal shows it: the place, the rule, what is wrong, why, and what to write. */
export const formatFinding = ({ path, line, column, rule, message }: Finding): string =>
  `${path}:${line}:${column} ${rule}\n  ${message.replaceAll('\n', '\n  ')}\n`

function toFinding(folder: string, problem: NormalizedProblem): Finding {
  const { ruleId, message, suggest, location } = problem
  const {
    source,
    pointer = '#/',
    reportOnKey,
  } = location[0] as { source: never; pointer?: string; reportOnKey: boolean }
  const [why, write] = adviceFor(ruleId, pointer)
  const near = suggest.length ? `${suggest[0]}?` : write
  // The messages of our own rules contain the advice.
  const text = ruleId.startsWith('tiwala/') ? message : explain(message, why, near)
  return findingAt(folder, { document: { source }, pointer, message: text, reportOnKey }, ruleId)
}

/** The documents share files, so that one mistake is found once for each document. */
const unique = (findings: readonly Finding[]) => [
  ...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values(),
]

/** Without findings of Redocly in a line of which a rule of ours says what to write, if Redocly does not. */
function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const lineOf = ({ path, line }: Finding) => `${path}:${line}`
  const own = new Set(findings.filter(({ rule }) => rule.startsWith('tiwala/')).map(lineOf))
  return findings.filter(
    (finding) => !isRuleOfRedocly(finding.rule) || !own.has(lineOf(finding)) || /\w\?$/.test(finding.message),
  )
}

/** One mistake in a shared file is found at each of its uses: the first stands for all. */
function collapse(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, (finding) =>
    FOUND_AT_USES.has(finding.rule) ? finding.message : JSON.stringify(finding),
  )
  return [...groups.values()].map(([first, ...others]) => {
    const [what, ...advice] = first!.message.split('\n')
    return others.length
      ? { ...first!, message: [`${what} The same in ${others.length} more places.`, ...advice].join('\n') }
      : first!
  })
}
