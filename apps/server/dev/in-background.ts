import type { ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** Lets the process run after the one that renders the page which the author has open. */
export function inBackground(child: ChildProcess): ChildProcess {
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return child
}
