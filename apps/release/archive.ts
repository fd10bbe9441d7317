import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import type { Files } from './contents.ts'

/** Writes a `.tar.gz` file whose bytes depend only on the names and contents of its files, and on `mtime`. */
export async function writeArchive(path: string, files: Files, mtime: Date): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tiwala-release-'))
  try {
    for (const [name, content] of files) {
      const place = join(folder, name)
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, content)
      // Programs and scripts can be run.
      if (content.subarray(0, 2).toString() === '#!') chmodSync(place, 0o755)
    }
    const options = { file: path, cwd: folder, mtime, gzip: { level: 9 }, portable: true, noDirRecurse: true }
    // The modes on the disk depend on the umask.
    const onWriteEntry = ({ stat }: { stat?: { mode: number } }) => {
      stat!.mode |= stat!.mode & 0o100 ? 0o555 : 0o444
    }
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
    await create({ ...options, onWriteEntry }, names)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
