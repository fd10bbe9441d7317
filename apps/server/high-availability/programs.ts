// The programs of the drills and of `npm run test:stress`, from Debian packages. As root, the drills start them as
// the user `postgres`, because PostgreSQL refuses to run as root.
import { execFileSync, spawn } from 'node:child_process'
import { accessSync, chownSync, closeSync, constants, globSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { killWithParent } from '../src/testing/process-group.ts'

const NEEDED = ['etcd', 'haproxy', 'patroni', 'pgbackrest', 'pgbouncer', 'promtool']
const PACKAGES = 'etcd-server haproxy patroni pgbackrest pgbouncer postgresql prometheus'
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/bin']

/** The folder with the programs of the newest PostgreSQL from Debian. */
export const postgresFolder = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin')
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)

/** One line if programs are missing. */
export function findMissing(): string | undefined {
  const missing = NEEDED.filter((name) => !FOLDERS.some((folder) => isExecutable(join(folder, name))))
  if (!postgresFolder()) missing.push('postgres')
  return missing.length
    ? `${missing.join(', ')} not found. On Debian: sudo apt-get install --yes ${PACKAGES}`
    : undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const isRoot = () => process.getuid?.() === 0

/** The user of the programs, or nothing: then it is the user of this process. */
function findUser(): { uid?: number; gid?: number } {
  if (!isRoot()) return {}
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Makes a folder that belongs to the user of the programs. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { uid, gid } = findUser()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** `end` resolves when the program has ended, also if it had ended before. */
export type Program = { end(signal: NodeJS.Signals): Promise<void> }

/** Starts a program in its folder, where it writes its log. It ends with this process at the latest. */
export function startProgram(
  program: string,
  parameters: string[],
  folder: string,
  settings: NodeJS.Dict<string> = {},
): Program {
  const log = openSync(join(folder, `${program}.log`), 'a')
  const child = spawn(program, parameters, {
    ...findUser(),
    cwd: folder,
    // systemd, too, gives a unit nothing of the environment but a path and a home.
    env: { PATH: FOLDERS.join(':'), HOME: folder, ...settings },
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  const exited = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  // Patroni stops its PostgreSQL at SIGTERM.
  void exited.then(killWithParent(child.pid!, 'TERM'))
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return { end }
}
