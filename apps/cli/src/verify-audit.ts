import type { Schemas, Success } from '@tiwala/contract'
import { readArchivedCheckpoints } from './archived-checkpoints.ts'
import { fetchEntries, readEntries } from './audit-entries.ts'
import type { CommandContext, CommandOverride } from './command-context.ts'
import { EXIT_CODE } from './format-error.ts'
import { nameOfSource, printMessage } from './io.ts'
import { printResult } from './print-value.ts'
import { createProgress, type Progress } from './progress.ts'
import { readAuditKeys } from './read-audit-keys.ts'
import { UsageError } from './usage-error.ts'
import { type TrustAnchors, type VerificationResult, verifyEntries } from './verify-entries.ts'
import { withRetry } from './with-retry.ts'

type Page = Success<'verifyAudit'>

/** Verifies the whole audit: on the server, or here if an option asks for an independent verification. */
async function verifyAudit(context: CommandContext): Promise<number> {
  const { io, options } = context
  const progress = createProgress(io)
  const isIndependent = [options.independent, options.export, options.keys, options.kept].some(
    (option) => option !== undefined,
  )
  const verification = isIndependent
    ? verifyIndependently(context, progress)
    : verifyOnServer(context, progress)
  const result = await verification.finally(() => progress.end())
  const hasUnverifiedKeys = isIndependent && options.keys === undefined
  const { from_checkpoint: first } = (context.input.query ?? {}) as { from_checkpoint?: number }
  await printResult(io, options.output, result, `${describeResult(result, hasUnverifiedKeys, first)}\n`)
  return result.first_fault ? EXIT_CODE.notIntact : EXIT_CODE.done
}

async function verifyOnServer(
  { io, input, connect }: CommandContext,
  progress: Progress,
): Promise<VerificationResult> {
  const call = withRetry(await connect(), io)
  const { latest_checkpoint } = (await call('listAuditKeys', {})).body
  const sum: VerificationResult = {
    checked_checkpoints: 0,
    checked_rows: 0,
    unsealed_rows: 0,
    first_fault: null,
  }
  const query = input.query as { from_checkpoint?: number; limit?: number }
  const first = query.from_checkpoint ?? 1
  const newest = latest_checkpoint ?? 0
  // An audit that was cut off must not look like one that has nothing new.
  if (first > newest + 1)
    throw new UsageError(
      `--from-checkpoint ${first}: the newest checkpoint of the audit is ${newest}. If an earlier verification ` +
        'saw a later one, checkpoints were removed, or a backup was restored.',
    )
  for (let next: number | null = first; next !== null;) {
    const from_checkpoint: number = next
    const { body }: { body: Page } = await call('verifyAudit', {
      query: { ...query, from_checkpoint },
    }).catch((error: unknown) => {
      if (sum.checked_checkpoints > 0)
        printMessage(
          io,
          `Stopped before checkpoint ${from_checkpoint}; ${sum.checked_checkpoints} are intact. ` +
            `Add --from-checkpoint ${from_checkpoint} to continue there.`,
        )
      throw error
    })
    sum.checked_checkpoints += body.checked_checkpoints
    sum.checked_rows += body.checked_rows
    sum.unsealed_rows = body.unsealed_rows
    sum.first_fault = body.first_fault
    next = body.next_checkpoint
    progress.show(sum.checked_checkpoints, newest - first + 1, `${sum.checked_checkpoints} checkpoints`)
  }
  return sum
}

async function verifyIndependently(context: CommandContext, progress: Progress): Promise<VerificationResult> {
  const { io, input, options, connect } = context
  const { from_checkpoint: first, ...query } = (input.query ?? {}) as { from_checkpoint?: number }
  if (Object.keys(query).length > 0 || (first !== undefined && options.export === undefined))
    throw new UsageError(
      'An independent verification checks the whole audit, or a file of a range. ' +
        'Leave out --limit, and give --from-checkpoint only with --export.',
    )
  const keys = options.keys === undefined ? undefined : await readAuditKeys(io, options.keys)
  const checkpoints = options.kept === undefined ? [] : await readArchivedCheckpoints(io, options.kept)
  const anchors: TrustAnchors = { keys, checkpoints, first }
  const entries =
    options.export === undefined
      ? fetchEntries(withRetry(await connect(), io))
      : readEntries(io, options.export)
  const result = await verifyEntries(entries, anchors, ({ checked_checkpoints, checked_rows }) =>
    progress.show(0, undefined, `${checked_checkpoints} checkpoints, ${checked_rows} events`),
  )
  if (options.export !== undefined && result.checked_checkpoints === 0)
    throw new UsageError(
      `${nameOfSource(options.export)} holds no checkpoint. Give a file from "tiwala audit export".`,
    )
  return result
}

function describeResult(
  result: VerificationResult,
  hasUnverifiedKeys: boolean,
  first: number | undefined,
): string {
  const { checked_checkpoints, checked_rows, unsealed_rows, first_fault } = result
  const checked = `Checkpoints: ${checked_checkpoints}, events: ${checked_rows}`
  const counts = `${checked}, not sealed yet: ${unsealed_rows}`
  if (!first_fault) {
    const warning =
      '\nThe keys come from the same source as the audit. To check them, give your own copy with --keys.'
    if (first !== undefined && checked_checkpoints === 0)
      return `The audit has no checkpoint after ${first - 1} yet. ${counts}.`
    const range = first === undefined ? '' : ` from checkpoint ${first} to ${first + checked_checkpoints - 1}`
    return `The audit${range} is intact. ${counts}.${hasUnverifiedKeys ? warning : ''}`
  }
  return `${describeFault('audit', first_fault)}\n${counts}.`
}

/** `noun`: what was verified. */
export function describeFault(noun: string, fault: Schemas['AuditFault']): string {
  const { checkpoint, position, event, what } = fault
  const location = [
    `checkpoint ${checkpoint}`,
    position !== null && `position ${position}`,
    event !== null && `event ${event}`,
  ]
  return `The ${noun} is NOT intact. First fault: ${location.filter(Boolean).join(', ')}: ${what}.`
}

export const verifyAuditCommand: CommandOverride = {
  description: `
      Verifies the whole audit. If an entry was edited, deleted, added, reordered or swapped, the command
      names the first fault and ends with exit code 4. By default, the service verifies its own audit. With
      --independent, this command verifies the signatures, the chain and every event itself, and trusts only
      the public keys of the service. Needs audit:read.`,
  addOptions: (command) =>
    void command
      .option('--independent', 'verify here, with the data that the service returns')
      .option(
        '--export <path>',
        'verify here, without the service, the file from "tiwala audit export"; "-" for standard input; ' +
          'with --from-checkpoint, the file of a range',
      )
      .option(
        '--keys <path>',
        'verify here with your copy of the public keys, as "tiwala audit keys --json" wrote it',
      )
      .option(
        '--kept <path>',
        'verify here that your copy of the checkpoints is still part of the audit: ' +
          'a checkpoint ("tiwala audit checkpoint --json") or a log of the service',
      ),
  handle: verifyAudit,
}
