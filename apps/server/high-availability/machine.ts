// A machine on which an operator follows "High availability" and "Back up and restore under Patroni"
// (`OPERATIONS.md`): the commands run word for word, in a folder and at a loopback address of its own.
//
// Replaced, because a test may not change the machine on which it runs:
// - addresses and folders (`replacements`);
// - `sudo -u postgres` runs the command as that user if the test is root, and otherwise as the same user, which
//   PostgreSQL then trusts;
// - `apt-get` checks that the packages are installed; `install` writes the file, or makes the folders;
// - `systemctl` starts and ends the programs as the units of the Debian packages do, after the block.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { replaceAll, startShell } from '../stress/page-commands.ts'
import { APT_GET, SUDO } from '../stress/restore-page.ts'
import { isRoot, makeFolder, type Program, startProgram } from './programs.ts'

const SHIMS = {
  sudo: SUDO,
  'apt-get': APT_GET,
  install: `case "$*" in *--directory*)
  while [ "\${1#--}" != "$1" ]; do [ "$1" = --directory ] || shift; shift; done
  mkdir --parents "$@"
  if [ -n "$AS_POSTGRES" ]; then chown postgres "$@"; fi
  exit ;;
esac
file="\${@: -1}"
/usr/bin/install --mode 0600 /dev/stdin "$file"
if [ -n "$AS_POSTGRES" ]; then chown postgres "$file"; fi`,
  systemctl: 'echo "$*" >> "$FOLDER/systemctl"',
}
const FOLDERS = ['bin', 'etc', 'etc/default', 'etc/haproxy', 'etc/patroni', 'etcd', 'postgresql', 'run']

/** The units of the Debian packages. */
const UNITS = {
  etcd: (folder: string) =>
    startProgram('etcd', [], folder, parseEnv(readFileSync(join(folder, 'etc/default/etcd'), 'utf8'))),
  patroni: (folder: string) => startProgram('patroni', ['etc/patroni/config.yml'], folder),
  haproxy: (folder: string) => startProgram('haproxy', ['-db', '-f', 'etc/haproxy/haproxy.cfg'], folder),
}
type Unit = keyof typeof UNITS

export type Machine = ReturnType<typeof startMachine>

export function startMachine(folder: string, address: string, addresses: Record<string, string>) {
  for (const name of ['', ...FOLDERS]) makeFolder(join(folder, name))
  for (const [name, script] of Object.entries(SHIMS))
    writeFileSync(join(folder, 'bin', name), `#!/bin/bash\nset -e\n${script}\n`, { mode: 0o755 })
  writeFileSync(join(folder, 'etc/haproxy/haproxy.cfg'), '')
  const replacements = {
    ...addresses,
    '/etc/default': join(folder, 'etc/default'),
    '/etc/haproxy': join(folder, 'etc/haproxy'),
    '/etc/patroni': join(folder, 'etc/patroni'),
    '/var/lib/etcd': join(folder, 'etcd'),
    '/var/lib/postgresql/tiwala': join(folder, 'postgresql/tiwala'),
    '/var/run/postgresql': join(folder, 'run'),
    ...(isRoot() ? {} : { 'postgres peer': 'postgres trust' }),
  }
  const environment = {
    PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/usr/sbin:/bin`,
    HOME: folder,
    FOLDER: folder,
    PGHOST: join(folder, 'run'),
    PGUSER: 'postgres',
    AS_POSTGRES: isRoot() ? 'setpriv --reuid=postgres --regid=postgres --init-groups' : '',
  }
  const shell = startShell(environment, folder)
  const programs = new Map<Unit, Program>()
  const data = join(folder, 'postgresql/tiwala')
  const start = (unit: Unit) => void programs.set(unit, UNITS[unit](folder))
  const end = async (signal: NodeJS.Signals) => {
    await Promise.all([...programs.values()].map((program) => program.end(signal)))
  }
  /** Every program ends at once, without a chance to finish anything. */
  async function powerOff(): Promise<void> {
    const ended = end('SIGKILL')
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    await ended
  }
  const actions: Record<string, () => unknown> = {
    'restart --no-block etcd': () => start('etcd'),
    'disable --now postgresql': () => {},
    'enable --now patroni': () => start('patroni'),
    'start patroni': () => start('patroni'),
    'stop patroni': () => programs.get('patroni')!.end('SIGTERM'),
    'restart haproxy': () => start('haproxy'),
    'poweroff --force --force': powerOff,
  }
  return {
    address,
    /** The folder with the data of PostgreSQL. */
    data,
    /** Runs a block of the page. Resolves with what it prints. */
    async run(block: string): Promise<string> {
      const commands = join(folder, 'systemctl')
      writeFileSync(commands, '')
      const output = await shell.run(replaceAll(block, replacements))
      for (const command of readFileSync(commands, 'utf8').split('\n').slice(0, -1)) {
        if (!actions[command]) throw new Error(`The drill does not know: systemctl ${command}`)
        await actions[command]()
      }
      return output
    },
    /** After a power failure: the enabled units start. */
    boot: () => [...programs.keys()].forEach(start),
    async shutDown(): Promise<void> {
      shell.end()
      await end('SIGTERM')
    },
  }
}
