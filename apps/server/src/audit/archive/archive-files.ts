// The files of an archived part of the audit, in a folder of its own (`202611`).
//
// - `events.ndjson.gz`: gzip members one after another, which every gzip program reads as one file. The first has the keys, each
//   further one a checkpoint and all events that it seals, in the format of `tiwala audit export`.
// - `events.index`: where each member ends, as 64-bit numbers. So one checkpoint is read without the others.
// - `history.gz`: the disclosures by citizen, in gzip members of up to `BLOCK_ROWS` lines.
// - `history.index`: the first citizen of each member, its SHA-256, and where it ends.
//
// The checkpoints and their signatures stay in the database, too. An event that is altered here no longer has the signed root. The
// hash of `history.index` is in the database and in the audit.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Schemas } from '@tiwala/contract'

export const BLOCK_ROWS = 256
const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

export type ArchivedEntry =
  | { key: Schemas['AuditKey'] }
  | { checkpoint: Schemas['AuditCheckpoint'] }
  | { event: Schemas['AuditEvent'] }

/** A disclosure in the history of a citizen, and where its leaf is. */
export type ArchivedDisclosure = {
  id: number
  request_id: string
  occurred_at: string
  kind: 'profile.disclosed' | 'profile.viewed' | 'sso.authenticated'
  citizen_id: number
  partner_id: number
  tracking_no: string | null
  detail: string | null
  checkpoint: number
  position: number
}

const EVENTS = { data: 'events.ndjson.gz', index: 'events.index', entryBytes: 8 }
const HASH_BYTES = 32
const HISTORY = { data: 'history.gz', index: 'history.index', entryBytes: 16 + HASH_BYTES }
/** As earlier archives have it. */
const UNHASHED_HISTORY = { ...HISTORY, entryBytes: 16 }

type Part = typeof EVENTS

/** Adds members to a part of an archive. `keep`: how many members of an earlier, killed attempt stay. */
async function openWriter(folder: string, { data, index, entryBytes }: Part, keep: boolean) {
  const flags = keep ? 'a+' : 'w+'
  const [dataFile, indexFile] = [
    await open(join(folder, data), flags),
    await open(join(folder, index), flags),
  ]
  let members = Math.floor((await indexFile.stat()).size / entryBytes)
  let end = 0
  if (members > 0) end = await readNumber(indexFile, members * entryBytes - 8)
  // A member or an entry that the earlier attempt has not completed.
  const isWhole = (await dataFile.stat()).size >= end
  if (!isWhole) [members, end] = [0, 0]
  await dataFile.truncate(end)
  await indexFile.truncate(members * entryBytes)
  return {
    members,
    add: async (lines: unknown[], first?: number) => {
      const member = await compress(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await dataFile.appendFile(member)
      end += member.length
      await indexFile.appendFile(
        Buffer.concat([...(first === undefined ? [] : [toBytes(first), hashOf(member)]), toBytes(end)]),
      )
    },
    close: async () => {
      for (const file of [dataFile, indexFile]) {
        await file.sync()
        await file.close()
      }
    },
  }
}

export const openEventsWriter = (folder: string) => openWriter(folder, EVENTS, true)
export const openHistoryWriter = (folder: string) => openWriter(folder, HISTORY, false)

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

function toBytes(number: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(number))
  return bytes
}

async function readNumber(file: FileHandle, position: number): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, position)
  if (bytesRead < 8) throw new Error('an index of the archive is cut off')
  return Number(buffer.readBigInt64BE())
}

async function withPart<Result>(
  folder: string,
  { data, index, entryBytes }: Part,
  act: (part: {
    members: number
    readEntry: (member: number, offset: number) => Promise<number>
    readMember: (member: number) => Promise<unknown[]>
  }) => Promise<Result>,
): Promise<Result> {
  const files = [await open(join(folder, data))]
  try {
    files.push(await open(join(folder, index)))
    const [dataFile, indexFile] = files as [FileHandle, FileHandle]
    const readEntry = (member: number, offset: number) => readNumber(indexFile, member * entryBytes + offset)
    const endOf = async (member: number) => (member < 0 ? 0 : readEntry(member, entryBytes - 8))
    return await act({
      members: Math.floor((await indexFile.stat()).size / entryBytes),
      readEntry,
      readMember: async (member) => {
        const [start, end] = [await endOf(member - 1), await endOf(member)]
        const { buffer } = await dataFile.read(Buffer.alloc(end - start), 0, end - start, start)
        if (entryBytes > 16) {
          const hash = Buffer.alloc(HASH_BYTES)
          await indexFile.read(hash, 0, HASH_BYTES, member * entryBytes + 8)
          if (!hashOf(buffer).equals(hash)) throw new Error('a block of the history was altered')
        }
        const text = (await decompress(buffer)).toString()
        return text
          .split('\n')
          .filter(Boolean)
          .map((line): unknown => JSON.parse(line))
      },
    })
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
}

/** The keys (0), or the checkpoint with this place in the archive (from 1 on) and its events. */
export const readEventsMember = (folder: string, member: number): Promise<ArchivedEntry[]> =>
  withPart(folder, EVENTS, async ({ readMember }) => (await readMember(member)) as ArchivedEntry[])

export const countEventsMembers = (folder: string): Promise<number> =>
  withPart(folder, EVENTS, async ({ members }) => members)

/** The disclosures of one citizen. The index is searched by halves: the blocks are in the order of the citizens. */
export const readHistoryOf = (
  folder: string,
  isHashed: boolean,
  citizenId: number,
): Promise<ArchivedDisclosure[]> =>
  withPart(folder, isHashed ? HISTORY : UNHASHED_HISTORY, async ({ members, readEntry, readMember }) => {
    let [low, high] = [0, members]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((await readEntry(middle, 0)) < citizenId) low = middle + 1
      else high = middle
    }
    const rows: ArchivedDisclosure[] = []
    // The block before may end with rows of the citizen.
    for (let member = Math.max(0, low - 1); member < members; member++) {
      if ((await readEntry(member, 0)) > citizenId) break
      const block = (await readMember(member)) as ArchivedDisclosure[]
      rows.push(...block.filter(({ citizen_id }) => citizen_id === citizenId))
    }
    return rows
  })

/** SHA-256 of the index, which has the hash of each block. */
export async function hashHistory(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(join(folder, HISTORY.index))) hash.update(bytes as Buffer)
  return hash.digest('base64url')
}

/** By folder: what the file system says of the index when it last had the expected hash. */
const checkedIndexes = new Map<string, string>()

/** Throws if the index has another hash. It is hashed again only after the file has changed. */
export async function requireHistory(folder: string, hash: string): Promise<void> {
  const { dev, ino, size, ctimeMs } = await stat(join(folder, HISTORY.index))
  const state = [dev, ino, size, ctimeMs, hash].join(' ')
  if (checkedIndexes.get(folder) === state) return
  if ((await hashHistory(folder)) !== hash)
    throw new Error('the history was altered, or is of another database')
  checkedIndexes.set(folder, state)
}

/** All disclosures, a block at a time, with the first citizen that the index names for the block. */
export async function* readHistoryBlocks(
  folder: string,
): AsyncGenerator<{ first: number; rows: ArchivedDisclosure[] }> {
  const members = await withPart(folder, HISTORY, async (part) => part.members)
  for (let member = 0; member < members; member++)
    yield await withPart(folder, HISTORY, async ({ readEntry, readMember }) => ({
      first: await readEntry(member, 0),
      rows: (await readMember(member)) as ArchivedDisclosure[],
    }))
}
