// What the service answers from the archive.
import { join } from 'node:path'
import type { Schemas } from '@tiwala/contract'
import { Failure } from '../../failure.ts'
import type { Service } from '../../operation.ts'
import { findSigner, toAuditKey, toCheckpoint } from '../checkpoints/checkpoint.ts'
import { hashLeaf, pathTo } from '../merkle.ts'
import { findCheckpointsFrom } from '../verify-audit/verify-audit.sql.ts'
import {
  type ArchivedDisclosure,
  type ArchivedEntry,
  hashHistory,
  readEventsMember,
  readHistoryOf,
  requireHistory,
} from './archive-files.ts'
import type { Archive } from './archive.sql.ts'
import { checkMember } from './check-member.ts'

type Files = Pick<Service, 'config'>

async function withFolder<Result>(
  { config }: Files,
  { name }: Archive,
  read: (folder: string) => Promise<Result>,
): Promise<Result> {
  try {
    if (!config.auditArchiveDir) throw new Error('TIWALA_AUDIT_ARCHIVE_DIR is not set')
    return await read(join(config.auditArchiveDir, name))
  } catch (error) {
    throw unreadable(name, error as Error)
  }
}

const unreadable = (name: string, error: Error) =>
  new Failure('unavailable', {
    message: 'This part of the audit is in the archive, which cannot be read now',
    reason: `audit archive ${name}: ${error.message}`,
    retryAfterSeconds: 60,
    cause: error,
  })

/** A checkpoint and its events, unless they are altered or those of another database. */
export async function readSealedEvents(
  service: Pick<Service, 'config' | 'db'>,
  archive: Archive,
  number: number,
): Promise<ArchivedEntry[]> {
  const entries = await readArchivedCheckpoint(service, archive, number)
  const [checkpoint] = await findCheckpointsFrom(service.db, number, 1)
  if (!checkpoint || checkMember(entries, checkpoint))
    throw unreadable(archive.name, new Error(`checkpoint ${number} was altered, or is of another database`))
  return entries
}

/** A checkpoint and its events, for a check of both. */
export const readArchivedCheckpoint = (
  files: Files,
  archive: Archive,
  number: number,
): Promise<ArchivedEntry[]> =>
  withFolder(files, archive, async (folder) => {
    try {
      return await readEventsMember(folder, number - archive.first_checkpoint + 1)
    } catch (error) {
      // A file that is missing has a code such as ENOENT. Others were altered, which the audit must show.
      const { code = '' } = error as NodeJS.ErrnoException
      if (code.startsWith('E') && !code.startsWith('ERR_')) throw error
      return []
    }
  })

/** Whether the index of the histories is that of the archive. It has the hash of each block, which is checked when the block is read. */
export const isHistoryUnaltered = async (files: Files, archive: Archive): Promise<boolean> =>
  archive.history_hash === null || (await withFolder(files, archive, hashHistory)) === archive.history_hash

/** The disclosures of a citizen in this part of the archive, newest first. */
export const readArchivedHistory = async (
  files: Files,
  archive: Archive,
  citizenId: number,
): Promise<ArchivedDisclosure[]> =>
  (
    await withFolder(files, archive, async (folder) => {
      const { history_hash } = archive
      // The folder may be that of another database, whose citizens have the same numbers.
      if (history_hash !== null) await requireHistory(folder, history_hash)
      return readHistoryOf(folder, history_hash !== null, citizenId)
    })
  ).toSorted((a, b) => b.id - a.id)

/** The proof of a leaf, from the checkpoint in the database and its events in the archive, which must lead to the signed root. */
export async function proveArchived(
  service: Pick<Service, 'config' | 'db' | 'keys'>,
  archive: Archive,
  { checkpoint: number, position }: Pick<ArchivedDisclosure, 'checkpoint' | 'position'>,
): Promise<Omit<Schemas['DisclosureProof'], 'disclosure_id'>> {
  const entries = await readArchivedCheckpoint(service, archive, number)
  const [checkpoint] = await findCheckpointsFrom(service.db, number, 1)
  const signer = checkpoint && findSigner(service.keys, checkpoint)
  if (!signer || checkMember(entries, checkpoint))
    throw new Error(`The audit archive ${archive.name} was altered.`)
  const leaves = entries.flatMap((entry) => ('event' in entry ? [entry.event.seal!.leaf] : []))
  const path = await pathTo(leaves.map(hashLeaf), position)
  return {
    leaf: leaves[position]!,
    position,
    path: path.map((hash) => hash.toString('base64url')),
    checkpoint: toCheckpoint(checkpoint),
    key: toAuditKey(signer),
  }
}
