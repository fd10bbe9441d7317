import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/**
 * The author waits for the open page first, which has the normal priority (0), then for the server, the
 * findings and the types.
 */
const PRIORITY = { server: 10, linter: 12, types: 19 }

export function inBackground(child: ChildProcess, name: keyof typeof PRIORITY): ChildProcess {
  if (child.pid !== undefined) setPriority(child.pid, PRIORITY[name])
  return child
}
