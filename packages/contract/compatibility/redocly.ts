import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Json } from './json.ts'
import type { Impact } from './versions.ts'

/** One line of the report of `redocly diff`. */
export type ListedChange = {
  path: string
  property?: string
  kind: 'added' | 'removed' | 'modified'
  impact: Impact
  verdicts: { ruleId: string; message: string }[]
}

const CLI = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
const CONFIG = fileURLToPath(new URL('redocly.yaml', import.meta.url))

/** Lists every change between two documents, texts included, each with its impact by the rules of Redocly. */
export async function listChanges(before: Json, after: Json, config = CONFIG): Promise<ListedChange[]> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'))
  const [base, revision, report] = ['base.json', 'revision.json', 'report.json'].map((name) =>
    join(folder, name),
  )
  try {
    await writeFile(base!, JSON.stringify(before))
    await writeFile(revision!, JSON.stringify(after))
    const options = ['--config', config, '--format', 'json', '--output', report!, '--fail-on', 'none']
    await promisify(execFile)(process.execPath, [CLI, 'diff', base!, revision!, ...options], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    return (JSON.parse(await readFile(report!, 'utf8')) as { changes: ListedChange[] }).changes
  } finally {
    await rm(folder, { recursive: true })
  }
}
