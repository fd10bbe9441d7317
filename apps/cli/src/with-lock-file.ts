// A lock that needs only files, because partners run the program on Node 20, which has no SQLite (`with-lock.ts`).
// The library for it, proper-lockfile, has had no release since 2021.
import { closeSync, fstatSync, futimesSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_MS = 50
/** The process that has the lock touches the file so often. */
const TOUCH_MS = 1_000
/** A process that was killed leaves the file. It counts no more when it is this old. */
const STALE_MS = 10_000

/** Waits for the lock, and runs while no other process has it. */
export async function withLockFile<Result>(
  path: string,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  let file: number | undefined
  while ((file = tryLock(path)) === undefined) await sleep(RETRY_MS)
  const touching = setInterval(() => futimesSync(file, new Date(), new Date()), TOUCH_MS)
  try {
    return await run()
  } finally {
    clearInterval(touching)
    // If this process was suspended, another one may have removed the file, and may have the lock now.
    const isOwn = fstatSync(file).nlink > 0
    closeSync(file)
    if (isOwn) rmSync(path, { force: true })
  }
}

function tryLock(path: string): number | undefined {
  const touchedAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (touchedAtMs !== undefined && Date.now() - touchedAtMs > STALE_MS) rmSync(path, { force: true })
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}
