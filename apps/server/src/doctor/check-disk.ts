import { statfs } from 'node:fs/promises'
import { type Finding, problem, ok } from './finding.ts'

const GIB = 2 ** 30
const MIN_FREE_BYTES = GIB
const MIN_FREE_SHARE = 0.1

/** The disks that this machine can see. The service itself writes nothing in live, except its log. */
export async function checkDisk(folders: readonly string[]): Promise<Finding[]> {
  const disks = await Promise.all([...new Set([process.cwd(), ...folders])].map(readDisk))
  return disks.flatMap((disk) => {
    if (!disk) return []
    const { folder, freeBytes, freeShare } = disk
    const free = `${(freeBytes / GIB).toFixed(1)} GiB (${Math.round(freeShare * 100)} %) free for ${folder}`
    return freeBytes < MIN_FREE_BYTES || freeShare < MIN_FREE_SHARE
      ? problem('disk', `only ${free}. Free some, or enlarge the disk.`)
      : ok('disk', free)
  })
}

/** `undefined` if the folder does not exist here. */
async function readDisk(folder: string) {
  const disk = await statfs(folder).catch(() => undefined)
  return disk && { folder, freeBytes: disk.bavail * disk.bsize, freeShare: disk.bavail / disk.blocks }
}
