// `tiwala support-bundle`: what a supporter needs to find a fault, in one file that can be read before it is sent.
//
// Guarantee: no secret and no personal data. Of a setting it has the value only if that is a number, a choice or on/off;
// of the log only lines of this service, and of these only the fields below; of the metrics no partner.
import { cpus, loadavg, release, totalmem, uptime } from 'node:os'
import { connectPostgres } from '../database/connect.ts'
import { reasonOf } from '../describe-error.ts'
import { VERSION } from '../program.ts'
import { SETTINGS } from '../settings.ts'
import { readVersions } from '../versions.ts'
import { diagnose } from './doctor.ts'
import type { Finding } from './finding.ts'
import { readSupportFacts } from './support-facts.sql.ts'

const MAX_LINES = 5_000
const TIMEOUT_MS = 5_000
/** The fields of a log line. `partner` is not among them. */
const FIELDS =
  'time level version msg method operation status error reason fault ms request_id checkpoint name code cause from to provider failures'.split(
    ' ',
  )

export type SupportOptions = { operatorUrl: string; log?: string }

export async function collectSupport(
  environment: NodeJS.ProcessEnv,
  { operatorUrl, log }: SupportOptions,
): Promise<Record<string, unknown>> {
  const findings: Finding[] = []
  for await (const finding of diagnose(environment, null)) findings.push(finding)
  return {
    made_at: new Date().toISOString(),
    versions: { ...(await readVersions()), program: VERSION, node: process.version },
    machine: {
      platform: `${process.platform} ${process.arch} ${release()}`,
      processors: cpus().length,
      memory_bytes: totalmem(),
      load: loadavg(),
      uptime_seconds: Math.round(uptime()),
    },
    settings: describeSettings(environment),
    findings,
    readiness: await read(new URL('/readyz', operatorUrl)),
    metrics: withoutPartners(await read(new URL('/metrics', operatorUrl))),
    database: await readDatabase(environment['DATABASE_URL']),
    log: log === undefined ? [] : toLines(log),
  }
}

/** `set`: it has a value that may name a host, a person or a secret. */
const describeSettings = (environment: NodeJS.ProcessEnv): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<{ default?: unknown; choices?: readonly unknown[] }>(SETTINGS).flatMap(([name, spec]) => {
      const value = environment[name]
      if (value === undefined || value === '') return []
      const isPlain =
        (typeof spec.default === 'number' && /^\d+$/.test(value)) ||
        (typeof spec.default === 'boolean' && /^(true|false|[01])$/.test(value)) ||
        spec.choices?.includes(value)
      return [[name, isPlain ? value : 'set']]
    }),
  )

async function read(url: URL): Promise<string> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    return await response.text()
  } catch (error) {
    return `no response (${reasonOf(error)})`
  }
}

const withoutPartners = (metrics: string): string[] =>
  metrics.split('\n').filter((line) => line && !line.startsWith('# ') && !line.includes('partner="'))

async function readDatabase(databaseUrl: string | undefined): Promise<unknown> {
  if (!databaseUrl) return null
  const database = connectPostgres(databaseUrl, () => {})
  try {
    return await readSupportFacts(database.unbounded)
  } catch (error) {
    return `cannot be read (${reasonOf(error)})`
  } finally {
    await database.close()
  }
}

/** The newest lines of the service. `journalctl --output cat` and the like give them as they were written. */
function toLines(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  return lines.slice(-MAX_LINES).flatMap((line) => {
    const parsed = parse(line)
    if (parsed?.['service'] !== 'tiwala') return []
    return [Object.fromEntries(FIELDS.flatMap((field) => (field in parsed ? [[field, parsed[field]]] : [])))]
  })
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
