import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')

const isSource = (path: string) => !path.endsWith('node_modules')

/**
 * Copies files and folders of the repository to a folder in which a test may change them. The packages of
 * the
 * workspace resolve to the copy, all others to the installed ones.
 */
export async function copySourceTree(target: string, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await cp(join(ROOT, path), join(target, path), { recursive: true, filter: isSource })
  await linkModules(target, 'node_modules')
  const packages = new Set(paths.flatMap((path) => /^(?:apps|packages)\/[^/]+/.exec(path) ?? []))
  await mkdir(join(target, 'node_modules/@tiwala'))
  for (const path of packages) {
    await symlink(join(target, path), join(target, 'node_modules/@tiwala', path.split('/')[1]!))
    await linkModules(target, join(path, 'node_modules'))
  }
}

async function linkModules(target: string, folder: string): Promise<void> {
  const names = await readdir(join(ROOT, folder)).catch(() => [])
  await mkdir(join(target, folder), { recursive: true })
  for (const name of names)
    if (name !== '@tiwala' && name !== '.cache')
      await symlink(join(ROOT, folder, name), join(target, folder, name))
}
