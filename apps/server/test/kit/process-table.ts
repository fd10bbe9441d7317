import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The id, the parent and the group of every process, without zombies. */
export async function listProcesses(): Promise<{ pid: number; parent: number; group: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='])
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return rows
    .filter(([, , , state]) => !state!.startsWith('Z'))
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }))
}
export const listGroupMembers = async (leader: number) =>
  (await listProcesses()).filter(({ group }) => group === leader).map(({ pid }) => pid)
export const listParentAndChildren = async (head: number) =>
  (await listProcesses()).filter(({ pid, parent }) => pid === head || parent === head).map(({ pid }) => pid)
