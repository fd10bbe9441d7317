import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100
/** Editors write several files at once, or one file in several steps. */
const SETTLE_MS = 40

type State = Map<string, string>

/**
 * Yields the changed files after each save in the folders. A save before the caller begins to wait, or while
 * it is busy, is not lost: it is part of the next list. This reads the state of the files, because `fs.watch`
 * on Linux misses a file that an editor replaces for the second time.
 */
export const changes = (folders: string[], ignored: RegExp): AsyncGenerator<string[], never> =>
  changesSince(stateOf(folders, ignored), folders, ignored)

async function* changesSince(
  before: State,
  folders: string[],
  ignored: RegExp,
): AsyncGenerator<string[], never> {
  for (;;) {
    await sleep(POLL_MS)
    let after = stateOf(folders, ignored)
    if (!difference(before, after).length) continue
    for (let isSettled = false; !isSettled;) {
      await sleep(SETTLE_MS)
      const newest = stateOf(folders, ignored)
      isSettled = !difference(after, newest).length
      after = newest
    }
    const changed = difference(before, after)
    before = after
    yield changed
  }
}

function stateOf(folders: string[], ignored: RegExp): State {
  const state: State = new Map()
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const stat = entry.isFile() && !ignored.test(path) && statSync(path, { throwIfNoEntry: false })
      if (stat) state.set(path, `${stat.mtimeMs} ${stat.size} ${stat.ino}`)
    }
  return state
}

const difference = (before: State, after: State): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
