import type { Success } from '@tiwala/contract'
import { TiwalaError } from '@tiwala/transport'
import { readArchivedCheckpoints } from './archived-checkpoints.ts'
import { readEntries } from './audit-entries.ts'
import { callOperation } from './call-operation.ts'
import type { CommandContext, CommandOverride } from './command-context.ts'
import { confirm } from './confirm.ts'
import type { OperatorTransport } from './connect.ts'
import { escapeLines } from './escape-text.ts'
import { EXIT_CODE } from './format-error.ts'
import { print, printMessage } from './io.ts'
import { isAccessChange, isReplayed, type LostChange, toLostChanges } from './lost-changes.ts'
import { printResult } from './print-value.ts'
import { createProgress } from './progress.ts'
import { UsageError } from './usage-error.ts'
import { describeFault } from './verify-audit.ts'
import { type LostEvents, verifyLostEvents } from './verify-lost-events.ts'
import { withRetry } from './with-retry.ts'

type Outcome = Success<'replayChange'>['outcome'] | 'not_applied'
type Replayed = LostChange & { outcome: Outcome; needs_secret?: string | null; reason?: string }

const OUTCOME_LABELS: Record<Outcome, string> = {
  applied: 'applied',
  in_effect: 'already in effect',
  not_there: 'not in the backup',
  changed_since: 'changed since',
  not_applied: 'NOT APPLIED',
}

/** Completes a restore. With `--replay`, it first applies the changes again that the backup lacks. */
async function completeRestore(context: CommandContext): Promise<number | void> {
  const { io, options, connect } = context
  if (options.replay === undefined) {
    if (options.kept !== undefined) throw new UsageError('--kept: give --replay as well.')
    return callOperation(context)
  }
  await confirm(context)
  const call = withRetry(await connect(), io)
  const { first_fault, ...found } = await verifyExport(context, call, options.replay)
  if (first_fault) {
    printMessage(io, `${describeFault('export', first_fault)} Nothing was changed.`)
    return EXIT_CODE.notIntact
  }
  const changes = await replayAll(context, call, found)
  const epoch = await raiseEpochOnce(call, found)
  const accessChanges = [...found.lost, ...found.unsealed].filter(isAccessChange)
  const counts = countBy(changes)
  const result = { changes, counts, access_changes: accessChanges, epoch }
  await printResult(io, options.output, result, describe(changes, counts, accessChanges, epoch))
  return counts.not_applied ? EXIT_CODE.refused : EXIT_CODE.done
}

async function verifyExport({ io, options }: CommandContext, call: OperatorTransport, path: string) {
  const progress = createProgress(io)
  const kept = options.kept === undefined ? [] : await readArchivedCheckpoints(io, options.kept)
  return verifyLostEvents(call, readEntries(io, path), kept, ({ checked_rows }) =>
    progress.show(0, undefined, `${checked_rows} events verified`),
  ).finally(() => progress.end())
}

/** Applies one change after another. Each is a request of its own, so that the command can be repeated. */
async function replayAll(
  { io, options }: CommandContext,
  call: OperatorTransport,
  { lost, unsealed }: LostEvents,
): Promise<Replayed[]> {
  const [changes, progress] = [toLostChanges(lost.filter(isReplayed)), createProgress(io)]
  const replayed: Replayed[] = []
  const report = async (each: Replayed) => {
    replayed.push(each)
    if (options.output === 'table') await print(io.stdout, escapeLines(describeChange(each)))
    progress.show(replayed.length, changes.length, `${replayed.length} of ${changes.length} changes`)
  }
  try {
    for (const change of changes) await report({ ...change, ...(await replay(call, change)) })
  } catch (error) {
    const done = `${replayed.length} of ${changes.length}`
    printMessage(io, `Stopped after ${done} changes. The restore is not complete: run the command again.`)
    throw error
  } finally {
    progress.end()
  }
  const reason = 'no checkpoint of the export seals it; if it is true, use "tiwala restore-replay"'
  for (const event of unsealed.filter(isReplayed))
    for (const change of toLostChanges([event])) await report({ ...change, outcome: 'not_applied', reason })
  return replayed
}

/** An entry of an older version of the service has no ids, which the service refuses. */
async function replay(
  call: OperatorTransport,
  body: LostChange,
): Promise<Pick<Replayed, 'outcome' | 'needs_secret' | 'reason'>> {
  try {
    return (await call('replayChange', { body })).body
  } catch (error) {
    if (!(error instanceof TiwalaError) || error.code !== 'validation_failed') throw error
    return {
      outcome: 'not_applied',
      reason: `its entry does not say enough: ${Object.keys(error.fields).join()}`,
    }
  }
}

/** Null: this restore was completed before. */
async function raiseEpochOnce(call: OperatorTransport, { completions }: LostEvents): Promise<number | null> {
  const { events } = (await call('listAuditEvents', { query: { kind: 'restore.completed', limit: 1 } })).body
  const [newest] = events
  if (newest && !completions.has(newest.request_id)) return null
  return (await call('completeRestore', {})).body.epoch
}

function countBy(changes: readonly Replayed[]): Record<Outcome, number> {
  const counts = { applied: 0, in_effect: 0, not_there: 0, changed_since: 0, not_applied: 0 }
  for (const { outcome } of changes) counts[outcome]++
  return counts
}

const describeChange = ({ outcome, kind, partner_code, tracking_no, detail, reason }: Replayed): string => {
  const what = [partner_code, tracking_no, detail].filter(Boolean).join(' ')
  return `${OUTCOME_LABELS[outcome].padEnd(18)} ${kind.padEnd(22)} ${what}${reason ? ` (${reason})` : ''}\n`
}

function describe(
  changes: readonly Replayed[],
  counts: Record<Outcome, number>,
  accessChanges: LostEvents['lost'],
  epoch: number | null,
): string {
  const needs = changes.flatMap(({ partner_code, needs_secret }) =>
    needs_secret
      ? [`${partner_code} needs a new ${needs_secret}: ${commandFor(needs_secret, partner_code!)}`]
      : [],
  )
  const checks = accessChanges.map(
    ({ kind, partner_code, occurred_at, detail, seal }) =>
      (kind === 'partner.changed'
        ? `check ${detail} of ${partner_code}: changed at ${occurred_at}, and the audit has no values`
        : `check the member ${detail} of ${partner_code}: ${kind.split('.')[1]} at ${occurred_at}`) +
      (seal ? '' : ' (not sealed)'),
  )
  const todo = [...new Set([...needs, ...checks])].map((text) => `to do: ${text}\n`)
  const sums = Object.entries(counts).map(
    ([outcome, count]) => `${OUTCOME_LABELS[outcome as Outcome]}: ${count}`,
  )
  const epochText = epoch === null ? 'The epoch was raised before.' : `The epoch is now ${epoch}.`
  const end = counts.not_applied
    ? 'The restore is not complete: decide on each change that was not applied.'
    : 'The restore is complete.'
  return `${todo.join('')}${sums.join(', ')}. ${epochText} ${end}\n`
}

const commandFor = (kind: string, partnerCode: string): string =>
  kind === 'webhook_secret'
    ? `tiwala webhook-secret rotate ${partnerCode} --grace-days 0`
    : `tiwala credential rotate ${partnerCode} --kind ${kind} --grace-days 0`

export const completeRestoreCommand: CommandOverride = {
  description: `
      Reports that a backup was restored. QR values, exchange codes and access tokens from before are then
      invalid. With --replay, the command first verifies an export of the audit that is newer than the backup,
      and applies again what must not come undone: revoked and replaced secrets, suspended partners, withdrawn
      consents, erased citizens, frozen and blocked preferences. It reports each, and can be repeated. Run it
      before you let callers in. Needs restore:write; with --replay also audit:read, partners:write,
      credentials:write and citizens:erase.`,
  addOptions: (command) =>
    void command
      .option('--replay <path>', 'file from "tiwala audit export", made after the backup')
      .option(
        '--kept <path>',
        'with --replay: verify that the export has every checkpoint of this log of the service, ' +
          'written before the restore',
      ),
  handle: completeRestore,
}
