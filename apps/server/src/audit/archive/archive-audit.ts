// What `tiwala audit archive` does: it writes the closed months into files, reads them back, and then ends their partitions.
//
// A month passes these states, and a command that was killed in any of them is continued by the next one:
// - `<folder>/202611.writing`: the files are being written. Whole members stay; what follows them is cut off.
// - `<folder>/202611`: the files are complete, on the disk and verified. The partition still answers.
// - a row of `audit_archive`: one transaction has written it and dropped the partition. The files answer.
import { mkdir, open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../config.ts'
import type { Database } from '../../database/connect.ts'
import { readSchemaState } from '../../database/migrate.ts'
import { openConfiguredDatabase } from '../../database/open-configured.ts'
import type { KeyRing } from '../../secrets/key-ring.ts'
import { openKeyRing } from '../../secrets/open-key-ring.ts'
import { mintRequestId } from '../../secrets/tokens.ts'
import { splitAuditDefault } from '../audit-partitions.sql.ts'
import { toAuditKey, toCheckpoint } from '../checkpoints/checkpoint.ts'
import { toAuditEvent } from '../list-audit-events/list-audit-events.ts'
import { localActor } from '../local-actor.ts'
import { checkStatement } from '../verify-audit/check-checkpoint.ts'
import { checkRemaining } from '../verify-audit/check-remaining.ts'
import { findCheckpointsFrom } from '../verify-audit/verify-audit.sql.ts'
import {
  BLOCK_ROWS,
  countEventsMembers,
  hashHistory,
  openEventsWriter,
  openHistoryWriter,
  readEventsMember,
  readHistoryBlocks,
} from './archive-files.ts'
import {
  type Archive,
  archiveOf,
  endPartition,
  findArchives,
  findClosedPartitions,
  findEarlierCheckpoints,
  findSealed,
  lockArchiving,
  readDisclosures,
  readExtent,
} from './archive.sql.ts'
import { checkMember } from './check-member.ts'

const LOCK_NOT_AVAILABLE = '55P03'
const PAUSE_MS = 500

export type Archiving = { name: string; done: number; total: number; step: 'write' | 'verify' }
type Context = { db: Database; keys: KeyRing; folder: string; onProgress: (progress: Archiving) => void }

/** Returns the names of the parts that are in the archive now and were not before. `until`: a month, as 2026-11. */
export async function archiveAudit(
  environment: NodeJS.ProcessEnv,
  until: string,
  onProgress: (progress: Archiving) => void,
): Promise<string[]> {
  const config = readConfig(environment)
  if (!config.auditArchiveDir)
    throw new Error(
      'TIWALA_AUDIT_ARCHIVE_DIR: name the folder of the archive, which every process must reach.',
    )
  const database = await openConfiguredDatabase(config, { warn: () => {} })
  const { keys, close } = await openKeyRing(config, () => {})
  try {
    if ((await readSchemaState(database.unbounded)).missing)
      throw new Error('The database is of an earlier version. Start this version of the service first.')
    return await database.unbounded.connection().execute(async (db) => {
      if (!(await lockArchiving(db))) throw new Error('Another command archives the audit of this database.')
      await retryLocked(() => splitAuditDefault(db, Number.MAX_SAFE_INTEGER))
      const names = await findClosedPartitions(db, until.replace('-', ''))
      for (const name of names)
        await archivePartition({ db, keys, folder: config.auditArchiveDir!, onProgress }, name)
      return names
    })
  } finally {
    await close()
    await database.close()
  }
}

async function archivePartition(context: Context, name: string): Promise<void> {
  const { db, folder } = context
  const archives = await findArchives(db)
  if (archives.some((each) => each.name === name))
    throw new Error(
      `${name} is in the archive already, and the database has new events of it: its clock was wrong when they were ` +
        'written. Nothing was dropped. Keep the folder: it is the only copy of the earlier events.',
    )
  const first_checkpoint = (archives[0]?.last_checkpoint ?? 0) + 1
  const { last, is_sealed } = await readExtent(db, name)
  if (!is_sealed) throw new Error(`Not all events of ${name} are sealed. Run the service, and try again.`)
  await checkEarlier(context, archives, name)
  const archive: Archive = {
    name,
    first_checkpoint,
    last_checkpoint: Math.max(last ?? 0, first_checkpoint - 1),
    history_hash: null,
  }
  const [written, writing] = [join(folder, name), join(folder, `${name}.writing`)]
  if (!(await exists(written))) {
    await mkdir(writing, { recursive: true })
    await writeEvents(context, archive, writing)
    await writeHistory(context, archive, writing)
    await verify(context, archive, writing)
    await syncFolder(writing)
    await rename(writing, written)
  } else await verify(context, archive, written)
  // Also if an earlier command was killed after the rename.
  await syncFolder(folder)
  archive.history_hash = await hashHistory(written)
  const by = { actor: localActor(), requestId: mintRequestId() }
  await retryLocked(() => db.transaction().execute((tx) => endPartition(tx, archive, by)))
}

/** Events of this month that are in the archive already, with the checkpoints of the month before, must be the same there. */
async function checkEarlier({ db, folder }: Context, archives: Archive[], name: string): Promise<void> {
  for (const number of await findEarlierCheckpoints(db, name, archives[0]?.last_checkpoint ?? 0)) {
    const archive = archiveOf(archives, number)!
    const entries = await readEventsMember(join(folder, archive.name), number - archive.first_checkpoint + 1)
    const checkpoint = (await findCheckpointsFrom(db, number, 1))[0]!
    const fault =
      checkMember(entries, checkpoint) ?? (await checkRemaining(db, entries, checkpoint, archives))
    if (fault)
      throw new Error(`Checkpoint ${number}: ${fault.what}. Run "tiwala audit verify". Nothing was dropped.`)
  }
}

/** No request waits for longer than 0.1 s for the lock of this command, so it may have to try again. */
async function retryLocked(run: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      return void (await run())
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      await sleep(PAUSE_MS)
    }
}

async function writeEvents(
  { db, keys, onProgress }: Context,
  archive: Archive,
  folder: string,
): Promise<void> {
  const { name, first_checkpoint, last_checkpoint } = archive
  const writer = await openEventsWriter(folder)
  if (writer.members === 0) await writer.add(keys.auditKeys().map((key) => ({ key: toAuditKey(key) })))
  const total = last_checkpoint - first_checkpoint + 1
  for (let number = first_checkpoint + Math.max(0, writer.members - 1); number <= last_checkpoint; number++) {
    const sealed = await findSealed(db, number)
    if (!sealed)
      throw new Error(`Checkpoint ${number} is missing: run "tiwala audit verify". Nothing was dropped.`)
    const events = sealed.events.map((row) => ({ event: toAuditEvent(row) }))
    await writer.add([{ checkpoint: toCheckpoint(sealed.checkpoint) }, ...events])
    onProgress({ name, done: number - first_checkpoint + 1, total, step: 'write' })
  }
  await writer.close()
}

async function writeHistory({ db }: Context, { name }: Archive, folder: string): Promise<void> {
  const writer = await openHistoryWriter(folder)
  for (let rows = await readDisclosures(db, name, undefined, BLOCK_ROWS); rows.length > 0;) {
    await writer.add(rows, rows[0]!.citizen_id)
    rows = await readDisclosures(db, name, rows.at(-1), BLOCK_ROWS)
  }
  await writer.close()
}

/**
 * Reads every file back. Each checkpoint must be that of the database, signed and chained, and its events must lead to its root.
 * The history must have the disclosures of the partition, in the order of the index.
 */
async function verify({ db, keys, onProgress }: Context, archive: Archive, folder: string): Promise<void> {
  const { name, first_checkpoint, last_checkpoint } = archive
  const refuse = (what: string) => {
    throw new Error(`${folder}: ${what}. Nothing was dropped. Remove the folder, and run the command again.`)
  }
  const total = last_checkpoint - first_checkpoint + 1
  if ((await countEventsMembers(folder)) !== total + 1) refuse('not as many checkpoints as in the database')
  let [before] = first_checkpoint > 1 ? await findCheckpointsFrom(db, first_checkpoint - 1, 1) : []
  for (let number = first_checkpoint; number <= last_checkpoint; number++) {
    const [checkpoint] = await findCheckpointsFrom(db, number, 1)
    if (checkpoint?.number !== number) return refuse(`checkpoint ${number} is missing in the database`)
    const checked = checkStatement(keys, checkpoint, before)
    if (typeof checked === 'string') return refuse(`checkpoint ${number}: ${checked}`)
    const fault = checkMember(await readEventsMember(folder, number - first_checkpoint + 1), checkpoint)
    if (fault) refuse(`checkpoint ${number}: ${fault.what}`)
    before = checkpoint
    onProgress({ name, done: number - first_checkpoint + 1, total, step: 'verify' })
  }
  let after: Awaited<ReturnType<typeof readDisclosures>>[number] | undefined
  for await (const { first, rows } of readHistoryBlocks(folder)) {
    const expected = await readDisclosures(db, name, after, BLOCK_ROWS)
    if (first !== rows[0]?.citizen_id || JSON.stringify(rows) !== JSON.stringify(expected))
      refuse('the history differs from the database')
    after = rows.at(-1)
  }
  if ((await readDisclosures(db, name, after, 1)).length > 0) refuse('the history is cut off')
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}
