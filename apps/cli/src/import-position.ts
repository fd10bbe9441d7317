// How far an import of a file has come, so that it can go on where it stopped. The position is kept beside the file
// (`citizens.ndjson.position`), is written after each batch that the service has stored, and is removed at the end. So are
// the refused lines (`citizens.ndjson.position.faults`), which a report names at its end.
import { appendFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { Schemas } from '@tiwala/contract'
import { parseJson } from './audit-entries.ts'
import { type Io, printMessage } from './io.ts'
import { UsageError } from './usage-error.ts'

type Fault = Schemas['LineFault']
export type Counts = { created: number; replaced: number; rejected: number }

/** `bytes`, `lines`: what the service at `url` has stored. `size`, `changedAt`: of the file, to notice that it is another one. */
type Position = Counts & { bytes: number; lines: number; url: string; size: number; changedAt: string }

const START = { bytes: 0, lines: 0, created: 0, replaced: 0, rejected: 0 }

/** `size`: undefined for standard input and other sources that cannot be read again, whose position is not kept. */
export async function openPosition(io: Io, path: string, url: string, isToResume: boolean) {
  const file = path === '-' ? undefined : await stat(path)
  if (!file?.isFile()) {
    if (isToResume) throw new UsageError('--resume continues with a file. Give its path with --file.')
    return { size: undefined, start: START, faults: [], save: async () => {}, end: async () => {} }
  }
  const [own, faultsFile] = [`${path}.position`, `${path}.position.faults`]
  const of = { url, size: file.size, changedAt: file.mtime.toISOString() }
  // Otherwise --resume would continue an earlier import, if this one stops before its first position is kept.
  const end = async () => {
    for (const each of [own, faultsFile]) await rm(each, { force: true })
  }
  if (!isToResume) await end()
  const kept = await readFile(own, 'utf8').catch(() => undefined)
  if (kept !== undefined) {
    const { size, changedAt, ...stopped } = (parseJson(kept) ?? {}) as Partial<Position>
    if (stopped.url !== url)
      throw new UsageError(
        `The import of ${path} that stopped was into ${stopped.url}. Import it into ${url} without --resume.`,
      )
    if (size !== of.size || changedAt !== of.changedAt)
      throw new UsageError(
        `${path} was changed since the import stopped. Import it again without --resume, which is safe.`,
      )
  }
  const start = kept === undefined ? START : (parseJson(kept) as Position)
  if (isToResume)
    printMessage(io, start.lines ? `Continues after line ${start.lines}.` : 'Starts with line 1.')
  // The lines of a batch that was not stored are sent again.
  const faults = await readFaults(faultsFile, start.lines)
  await rm(faultsFile, { force: true })
  if (faults.length > 0) await writeFile(faultsFile, formatFaults(faults))
  let isKept = true
  return {
    size: of.size,
    start,
    faults,
    save: async (position: Omit<Position, keyof typeof of>, refused: Fault[]) => {
      if (!isKept) return
      try {
        if (refused.length > 0) await appendFile(faultsFile, formatFaults(refused))
        await writeFile(`${own}.writing`, JSON.stringify({ ...position, ...of }))
        await rename(`${own}.writing`, own)
      } catch (error) {
        isKept = false
        printMessage(
          io,
          `The position cannot be kept (${(error as Error).message}), so --resume will not help.`,
        )
      }
    },
    end,
  }
}

const formatFaults = (faults: Fault[]) => faults.map((fault) => `${JSON.stringify(fault)}\n`).join('')

async function readFaults(path: string, lines: number): Promise<Fault[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const faults = text.split('\n').map((line) => parseJson(line) as Fault | undefined)
  return faults.filter((fault) => fault !== undefined && fault.line <= lines) as Fault[]
}
