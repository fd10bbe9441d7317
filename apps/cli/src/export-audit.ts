// `tiwala audit export`: writes all that a verification without the service needs.
//
// With `--append`, it adds what is newer than the file as a further part. The part is first written to a file of its
// own, whose name has the size of the export before it (`audit.ndjson.1000.part`). If the command is killed while it
// copies the part, the next one cuts the export to this size and copies the part again. A part without its export, or
// of one that was replaced, is removed. Only one command at a time writes an export. After a restore, the audit has other
// checkpoints, and the command refuses to continue the file.
import { createReadStream } from 'node:fs'
import { chmod, chown, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Schemas } from '@tiwala/contract'
import { fetchEntries, parseJson } from './audit-entries.ts'
import { type AuditEntry, fetchRange, findRange } from './audit-range.ts'
import type { CommandContext } from './command-context.ts'
import type { OperatorTransport } from './connect.ts'
import { toSafeJson } from './escape-text.ts'
import { print, printMessage } from './io.ts'
import { createProgress } from './progress.ts'
import { UsageError } from './usage-error.ts'
import { withLock } from './with-lock.ts'
import { withRetry } from './with-retry.ts'

type ExportContext = Pick<CommandContext, 'io' | 'options' | 'connect'>
type Counts = { keys: number; checkpoints: number; events: number }
type End = Extract<AuditEntry, { end: unknown }>['end'] & { bytes: number }

/** Longer than the line that ends a part. */
const END_BYTES = 200

/** One `AuditEntry` as JSON per line. */
export async function exportAudit(context: ExportContext): Promise<void> {
  const { io, options } = context
  const path = options.file === '-' ? undefined : options.file!
  if (options.append && path === undefined)
    throw new UsageError('--append adds to a file. Give its path with --file.')
  const call = withRetry(await context.connect(), io)
  const write = options.from === undefined && options.to === undefined ? exportAll : exportRange
  if (path === undefined) await write(context, call, path)
  else await withLock(path, () => write(context, call, path))
}

async function exportAll(
  context: ExportContext,
  call: OperatorTransport,
  path: string | undefined,
): Promise<void> {
  const { io, options } = context
  const end = options.append && path !== undefined ? await findEnd(path) : undefined
  if (end) await requireContinuation(call, path!, end)
  const part = path === undefined ? undefined : `${path}.${end ? `${end.bytes}.` : ''}writing`
  const counts = await writeEntries(context, part, fetchEntries(call, end?.checkpoint))
  if (path !== undefined && end === undefined) await replace(path, part!)
  else if (path !== undefined && counts.checkpoints === 0) await rm(part!)
  else if (path !== undefined) {
    await rename(part!, part!.replace(/writing$/, 'part'))
    await finishAppending(path)
  }
  printMessage(io, `${describe(counts, path)}.`)
}

const describe = ({ keys, checkpoints, events }: Counts, path: string | undefined) =>
  `Keys: ${keys}, checkpoints: ${checkpoints}, events: ${events}${path === undefined ? '' : `, in ${path}`}`

/** Writes what was sealed from `--from` until `--to`. */
async function exportRange(
  context: ExportContext,
  call: OperatorTransport,
  path: string | undefined,
): Promise<void> {
  const { io, options } = context
  if (options.append) throw new UsageError('--append has no range. Leave out --from and --to.')
  const times = [options.from, options.to].map((time) => time && toTime(time))
  const range = await findRange(call, { from: times[0], to: times[1] })
  if (!range) throw new UsageError('No checkpoint was sealed in this range.')
  const counts = await writeEntries(context, path && `${path}.writing`, fetchRange(call, range))
  if (path !== undefined) await replace(path, `${path}.writing`)
  printMessage(
    io,
    `${describe(counts, path)}. To verify it: ` +
      `tiwala audit verify --export ${path ?? '<file>'} --from-checkpoint ${range.first}`,
  )
}

/** A date, or a time with its zone (RFC 3339). JavaScript reads others, each in the zone of this machine. */
const TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i

function toTime(text: string): string {
  const day = TIME.exec(text)?.[1]
  const time = new Date(text)
  // JavaScript takes February 30 for March 2.
  if (Number.isNaN(time.getTime()) || day === undefined || !new Date(day).toISOString().startsWith(day))
    throw new UsageError(`"${text}" is no time. Give one such as 2026-01-01 or 2026-01-01T00:00:00Z.`)
  return time.toISOString()
}

/** Writes the entries to standard output, or to a new file that is then on the disk. */
async function writeEntries(
  { io }: Pick<ExportContext, 'io'>,
  path: string | undefined,
  entries: AsyncIterable<AuditEntry>,
): Promise<Counts> {
  const progress = createProgress(io)
  const name = namePath(path)
  const counts: Counts = { keys: 0, checkpoints: 0, events: 0 }
  const file = path === undefined ? undefined : await open(path, 'w', 0o600)
  let newest: Schemas['AuditCheckpoint'] | undefined
  let total = 0
  try {
    for await (const entry of entries) {
      const line = `${toSafeJson(entry)}\n`
      await (file ? file.appendFile(line).catch(name) : print(io.stdout, line))
      if ('key' in entry) counts.keys++
      if ('checkpoint' in entry) {
        counts.checkpoints++
        newest ??= entry.checkpoint
        total = newest.last_position - entry.checkpoint.first_position + 1
      }
      if (!('event' in entry)) continue
      counts.events++
      progress.show(counts.events, total, `${counts.events} events`)
    }
    await file?.sync().catch(name)
  } finally {
    progress.end()
    await file?.close()
  }
  return counts
}

/** An error of an open file, such as ENOSPC, does not name its path. */
const namePath =
  (path: string | undefined) =>
  (error: unknown): never => {
    throw Object.assign(error as Error, { path })
  }

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  )

/** Puts a new export in the place of the one before, whose parts do not belong to it. The file keeps its mode and owner. */
async function replace(path: string, written: string): Promise<void> {
  for (const { part } of await findParts(path)) await rm(part)
  const { mode, uid, gid } = await stat(path).catch(() => stat(written))
  await chown(written, uid, gid)
  await chmod(written, mode & 0o777)
  await rename(written, path)
}

/** Where the export ends, after it was completed. `undefined`: there is no such file. */
async function findEnd(path: string): Promise<End | undefined> {
  await finishAppending(path)
  const size = await sizeOf(path)
  if (size === undefined) return undefined
  const file = await open(path)
  const start = Math.max(0, size - END_BYTES)
  const { buffer, bytesRead } = await file
    .read({ buffer: Buffer.alloc(END_BYTES), position: start })
    .finally(() => file.close())
  const last = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').at(-1)!
  const { end } = (parseJson(last) ?? {}) as Partial<Extract<AuditEntry, { end: unknown }>>
  if (!end)
    throw new UsageError(
      `${path} does not end as an export of this version does. Export everything once, without --append.`,
    )
  return { ...end, bytes: size }
}

/** The audit must have the checkpoint with which the export ends. Otherwise its next checkpoints do not continue the export. */
async function requireContinuation(
  call: OperatorTransport,
  path: string,
  { checkpoint, signature }: End,
): Promise<void> {
  const { latest_checkpoint } = (await call('listAuditKeys', {})).body
  const isThere = checkpoint <= (latest_checkpoint ?? 0)
  const read = async () => (await call('readCheckpoint', { path: { checkpoint } })).body
  if (isThere && (signature === undefined || (await read()).signature === signature)) return
  throw new UsageError(
    `${path} ends with checkpoint ${checkpoint}, and the audit of the service ${isThere ? 'has another one with this number' : 'does not have it'}: ` +
      'a backup was restored, or the file is of another service. Rename the file, and keep it. ' +
      'The next export then writes a new one.',
  )
}

/** Copies a complete part to the end of its export. A second time it has the same effect. */
async function finishAppending(path: string): Promise<void> {
  for (const { part, start } of await findParts(path)) {
    if (((await sizeOf(path)) ?? -1) >= start) {
      await truncate(path, start)
      const file = await open(path, 'a')
      await pipeline(createReadStream(part), file.createWriteStream({ flush: true })).catch(namePath(path))
    }
    await rm(part)
  }
}

/** The parts of this export, and where each starts in it. */
async function findParts(path: string): Promise<{ part: string; start: number }[]> {
  const prefix = `${basename(path)}.`
  return (await readdir(dirname(path))).flatMap((name) => {
    const [, start] = (name.startsWith(prefix) && /^(\d+)\.part$/.exec(name.slice(prefix.length))) || []
    return start === undefined ? [] : [{ part: join(dirname(path), name), start: Number(start) }]
  })
}
