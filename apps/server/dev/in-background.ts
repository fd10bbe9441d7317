import type { ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** Lowers the priority of the process, so that the page that the author has open is rendered first. */
export function inBackground(child: ChildProcess): ChildProcess {
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return child
}
