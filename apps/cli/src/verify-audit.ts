import type { Schemas, Success } from '@tiwala/contract'
import { readArchivedCheckpoints } from './archived-checkpoints.ts'
import { fetchEntries, readEntries } from './audit-entries.ts'
import type { CommandContext } from './command-context.ts'
import { escapeLines } from './escape-text.ts'
import { EXIT_CODE } from './format-error.ts'
import { print, printJson, readJson } from './io.ts'
import { createProgress, type Progress } from './progress.ts'
import { UsageError } from './usage-error.ts'
import { verifyEntries, type VerificationResult, type TrustAnchors } from './verify-entries.ts'
import { withRetry } from './with-retry.ts'

type Page = Success<'verifyAudit'>

/** Checks all of the audit: the service does, or we do with nothing but the public keys. */
export async function verifyAudit(context: CommandContext): Promise<number> {
  const { io, options } = context
  const progress = createProgress(io)
  const { independent, export: exported, keys, kept } = options
  const isOurs = [independent, exported, keys, kept].some((given) => given !== undefined)
  const findings = await (isOurs ? verifyIndependently(context, progress) : verifyOnServer(context, progress)).finally(() => progress.end())
  if (options.json) await printJson(io, findings)
  else await print(io.stdout, escapeLines(`${describeResult(findings, isOurs, options)}\n`))
  return findings.first_fault ? EXIT_CODE.notIntact : EXIT_CODE.done
}

async function verifyOnServer({ io, input, connect }: CommandContext, progress: Progress): Promise<VerificationResult> {
  const call = withRetry(await connect(), io)
  const { latest_checkpoint } = (await call('listAuditKeys', {})).body
  const sum: VerificationResult = { checked_checkpoints: 0, checked_rows: 0, unsealed_rows: 0, first_fault: null }
  const query = input.query as { from_checkpoint?: number; limit?: number }
  const first = query.from_checkpoint ?? 1
  for (let next: number | null = first; next !== null;) {
    const { body }: { body: Page } = await call('verifyAudit', { query: { ...query, from_checkpoint: next } })
    sum.checked_checkpoints += body.checked_checkpoints
    sum.checked_rows += body.checked_rows
    sum.unsealed_rows = body.unsealed_rows
    sum.first_fault = body.first_fault
    next = body.next_checkpoint
    progress.show(sum.checked_checkpoints, (latest_checkpoint ?? first) - first + 1, `${sum.checked_checkpoints} checkpoints`)
  }
  return sum
}

async function verifyIndependently({ io, input, options, connect }: CommandContext, progress: Progress): Promise<VerificationResult> {
  if (Object.keys(input.query ?? {}).length > 0)
    throw new UsageError('An independent verification checks everything: leave --from-checkpoint and --limit out.')
  const read = async (path: string | undefined) => (path === undefined ? undefined : readJson(io, path))
  const keys = (await read(options.keys)) as { keys?: Schemas['AuditKey'][] } | undefined
  if (keys && !Array.isArray(keys.keys)) throw new UsageError('--keys: a file as "tiwala audit keys --json" writes it is needed.')
  const checkpoints = options.kept === undefined ? [] : await readArchivedCheckpoints(io, options.kept)
  const kept: TrustAnchors = { keys: keys?.keys, checkpoints }
  const entries = options.export === undefined ? fetchEntries(withRetry(await connect(), io)) : readEntries(io, options.export)
  const findings = await verifyEntries(entries, kept, (found) =>
    progress.show(0, undefined, `${found.checked_checkpoints} checkpoints, ${found.checked_rows} events`),
  )
  if (options.export !== undefined && findings.checked_checkpoints === 0) throw new UsageError(`${options.export} holds no checkpoint.`)
  return findings
}

function describeResult(
  { checked_checkpoints, checked_rows, unsealed_rows, first_fault }: VerificationResult,
  isOurs: boolean,
  options: CommandContext['options'],
): string {
  const extent = `Checkpoints: ${checked_checkpoints}, events: ${checked_rows}, not sealed yet: ${unsealed_rows}`
  if (!first_fault) {
    const unpinned = isOurs && options.keys === undefined
    return `The audit is intact. ${extent}.${unpinned ? '\nThe keys were taken from where the audit came from; give those you kept by --keys.' : ''}`
  }
  const { checkpoint, position, event, what } = first_fault
  const place = [`checkpoint ${checkpoint}`, position !== null && `position ${position}`, event !== null && `event ${event}`]
  return `The audit is NOT intact. First bad place: ${place.filter(Boolean).join(', ')}: ${what}.\n${extent}.`
}
