// An exclusive lock of the operating system, which ends with its process, also if that is killed in a container. Its file
// (`<path>.lock`) stays: if it were removed, one command could lock the old file and another one a new file.
import { UsageError } from './usage-error.ts'

/** Runs while no other command has the lock. */
export async function withLock(path: string, run: () => Promise<void>): Promise<void> {
  const lock = await takeLock(`${path}.lock`)
  if (!lock) throw new UsageError(`Another command writes ${path}. Wait until it ends.`)
  try {
    await run()
  } finally {
    lock.release()
  }
}

async function takeLock(name: string) {
  // Imported here, because no other command needs SQLite.
  const { lockFile } = await import('@tiwala/server/lock')
  try {
    return lockFile(name)
  } catch (error) {
    throw new UsageError(
      `Cannot lock ${name}: ${(error as Error).message}. Check its folder and its permissions. ` +
        'If no command writes the export, remove the lock.',
    )
  }
}
