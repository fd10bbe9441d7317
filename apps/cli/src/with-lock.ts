// An exclusive lock: `<path>.lock` names the process that writes the file, such as `4711 on audit-1`.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { UsageError } from './usage-error.ts'

/** Runs while no other process has the lock. That of a process that has ended on this machine is taken over. */
export async function withLock(path: string, run: () => Promise<void>): Promise<void> {
  const lock = `${path}.lock`
  const take = () => writeFile(lock, `${process.pid} on ${hostname()}`, { flag: 'wx' })
  await take().catch(async (error: NodeJS.ErrnoException) => {
    const holder = error.code === 'EEXIST' ? await readFile(lock, 'utf8') : undefined
    if (holder !== undefined && !hasEnded(holder))
      throw new UsageError(
        `Another command writes ${path} (process ${holder}). Wait until it ends. If it does not run, remove ${lock}.`,
      )
    await rm(lock, { force: true })
    await take()
  })
  try {
    await run()
  } finally {
    await rm(lock, { force: true })
  }
}

function hasEnded(holder: string): boolean {
  const [, pid, host] = /^(\d+) on (.+)$/.exec(holder) ?? []
  if (host !== hostname()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    // EPERM: it is the process of another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
