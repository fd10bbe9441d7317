import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes the files into a temporary folder beside the target, and renames them when all are complete. A
 * reader never sees half a file, and a failure to write leaves the old set. Files with the same content are
 * left alone. Returns the names of the others.
 */
export async function replaceFiles(target: string, files: Record<string, string>): Promise<string[]> {
  await mkdir(target, { recursive: true })
  const changed: string[] = []
  for (const [name, content] of Object.entries(files))
    if ((await readFile(join(target, name), 'utf8').catch(() => undefined)) !== content) changed.push(name)
  if (!changed.length) return changed
  const temporary = await mkdtemp(join(dirname(target), '.generated-'))
  try {
    for (const name of changed) await writeFile(join(temporary, name), files[name]!)
    for (const name of changed) await rename(join(temporary, name), join(target, name))
  } finally {
    await rm(temporary, { recursive: true })
  }
  return changed
}
