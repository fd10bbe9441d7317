// Builds a release, and unpacks it as an operator would.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../contents.ts'

const execFileAsync = promisify(execFile)

type RunOptions = { cwd: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal }

export const run = (command: string, args: string[], options: RunOptions) =>
  execFileAsync(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 })

/** Packs the release from what is built in the repository. */
export const pack = () => run(process.execPath, ['main.ts'], { cwd: join(ROOT, 'apps/release') })

/** The SHA-256 of the archive in a copy of the repository, after a check of `SHA256SUMS`. */
export async function hashArchive(root: string): Promise<string> {
  const folder = join(root, 'dist-release')
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder })
  const archive = await readFile(join(folder, await archiveIn(folder)))
  return createHash('sha256').update(archive).digest('hex')
}

/** Unpacks the release of the repository into a folder. Returns the folder of its programs. */
export async function unpack(folder: string): Promise<string> {
  const built = join(ROOT, 'dist-release')
  await run('tar', ['-xzf', join(built, await archiveIn(built))], { cwd: folder })
  const [name] = await readdir(folder)
  return join(folder, name!)
}

const archiveIn = async (folder: string): Promise<string> =>
  (await readdir(folder)).find((name) => name.endsWith('.tar.gz'))!

/** Copies what git has or would have of the repository, and links its dependencies. Nothing is built. */
export async function copyRepository(folder: string): Promise<void> {
  const script = `
    git ls-files --cached --others --exclude-standard --deduplicate -z |
      while IFS= read -r -d '' path; do if [ -e "$path" ]; then printf '%s\\0' "$path"; fi; done |
      tar --null --files-from - --create | tar --extract --directory "$1"
    for modules in node_modules apps/*/node_modules packages/*/node_modules; do
      [ -d "$modules" ] || continue
      cp -al "$modules" "$1/$modules" 2> /dev/null || cp -a "$modules/." "$1/$modules"
    done`
  await run('bash', ['-euo', 'pipefail', '-c', script, 'bash', folder], { cwd: ROOT })
}
