// Copies of the program in folders of their own, as an operator installs a release: the previous release, and
// the working tree as the next one.
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const MAX_ARCHIVE_BYTES = 2 ** 29
/** The packages of the repository itself. In `node_modules` they are links into the tree. */
const OWN_SCOPE = '@tiwala'
const COPY_LINKS = { recursive: true, verbatimSymlinks: true }

const git = (...parameters: string[]) =>
  execFileSync('git', parameters, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim()

/** The output, or undefined if the command fails. */
function tryGit(...parameters: string[]): string | undefined {
  try {
    return git(...parameters)
  } catch {
    return undefined
  }
}

/**
 * The commit to upgrade from: `UPGRADE_FROM`, or the newest release before this commit. Before the first
 * release: where this branch left `main`, and on `main` the commit before this one.
 */
export function previousCommit(): string {
  const given = process.env['UPGRADE_FROM']
  if (given) return git('rev-parse', '--verify', `${given}^{commit}`)
  const parent = tryGit('rev-parse', '--verify', 'HEAD^')
  if (!parent)
    throw new Error('The history has no earlier commit to upgrade from: git fetch --unshallow --tags')
  const release = tryGit('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', parent)
  if (release) return git('rev-parse', `${release}^{commit}`)
  const branchedAt = tryGit('merge-base', 'HEAD', 'main') ?? tryGit('merge-base', 'HEAD', 'origin/main')
  return branchedAt && branchedAt !== git('rev-parse', 'HEAD') ? branchedAt : parent
}

/** The commit before the one that added this migration. */
export function commitBefore(migration: string): string {
  const path = `apps/server/migrations/${migration}.sql`
  const added = git('log', '--diff-filter=A', '--format=%H', '--', path).split('\n').at(-1)
  const commit = added && tryGit('rev-parse', '--verify', `${added}^{commit}^`)
  if (!commit) throw new Error(`The history has no commit before ${migration}: git fetch --unshallow`)
  return commit
}

/** Writes the files of a commit into a new folder, with their dependencies. */
export async function checkOut(commit: string, folder: string): Promise<void> {
  await mkdir(folder)
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: MAX_ARCHIVE_BYTES })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  await install(folder)
}

/** Copies the working tree and further migrations into a new folder, with the dependencies. */
export async function copyWorkingTree(folder: string, migrations: Record<string, string>): Promise<void> {
  const listed = git('ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate').split('\n')
  const deleted = new Set(git('ls-files', '--deleted').split('\n'))
  for (const path of listed.filter((each) => !deleted.has(each)))
    await cp(join(ROOT, path), join(folder, path))
  for (const [name, text] of Object.entries(migrations))
    await writeFile(join(folder, 'apps/server/migrations', `${name}.sql`), text)
  await install(folder)
}

/** The name of the newest migration of the working tree. */
export const newestMigration = (): string =>
  globSync('*.sql', { cwd: join(ROOT, 'apps/server/migrations') })
    .map((file) => file.replace('.sql', ''))
    .toSorted()
    .at(-1)!

/** Links the dependencies of this tree. If the lock file differs, npm installs the tree's own. */
async function install(folder: string): Promise<void> {
  const lockIn = (tree: string) => readFile(join(tree, 'package-lock.json'), 'utf8')
  if ((await lockIn(folder)) === (await lockIn(ROOT))) await linkDependencies(folder)
  else
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'pipe',
    })
}

async function linkDependencies(folder: string): Promise<void> {
  const parents = ['apps', 'packages']
  const listed = await Promise.all(parents.map((parent) => readdir(join(folder, parent))))
  const workspaces = parents.flatMap((parent, index) => listed[index]!.map((name) => join(parent, name)))
  for (const workspace of ['', ...workspaces]) {
    const [from, to] = [join(ROOT, workspace, 'node_modules'), join(folder, workspace, 'node_modules')]
    await mkdir(to)
    for (const name of await readdir(from).catch(() => []))
      if (name === OWN_SCOPE) await cp(join(from, name), join(to, name), COPY_LINKS)
      else await symlink(join(from, name), join(to, name))
  }
}
