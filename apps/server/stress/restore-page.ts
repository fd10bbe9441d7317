// Runs the commands of "Back up and restore" (`OPERATIONS.md`) word for word, in a temporary folder, over a
// PostgreSQL of Debian.
//
// Replaced, because a test may not change the machine:
// - folders, ports and times (`replacements` of the test);
// - `sudo -u postgres` runs the command as that user if the test is root, and otherwise as the same user;
// - `install` makes the folders; `systemctl` starts and stops the PostgreSQL in the folder, and one process of
//   the service instead of two;
// - `apt-get` checks that the packages are installed, and `pg_lsclusters` lists the PostgreSQL in the folder;
// - `cp` fails when PostgreSQL archives its first segment, as on a full disk.
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../src/testing/start-service.ts'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export const SUDO = `as=
while [ "$1" = -u ]; do [ "$2" = postgres ] && as=$AS_POSTGRES; shift 2; done
exec $as "$@"`
export const APT_GET = 'shift 2\ndpkg-query --show "$@" > /dev/null'

const SHIMS = {
  sudo: SUDO,
  'apt-get': APT_GET,
  pg_lsclusters: 'echo "15 main $PGPORT online postgres $DATA_FOLDER $DATA_FOLDER/../log"',
  cp: `case "$1" in pg_wal/*)
  if mkdir "$DATA_FOLDER/../was-full" 2> /dev/null; then head -c 1000 "$1" > "$2"; exit 1; fi ;;
esac
exec /bin/cp "$@"`,
  install: `while [ "\${1#--}" != "$1" ]; do [ "$1" = --directory ] || shift; shift; done
mkdir -p "$@"
if [ -n "$AS_POSTGRES" ]; then chown postgres "$@"; fi`,
  systemctl: `case "$*" in
  'start postgresql')
    exec $AS_POSTGRES pg_ctl start -w -t 300 -D "$DATA_FOLDER" -l "$DATA_FOLDER/../log" > /dev/null ;;
  'stop postgresql')
    $AS_POSTGRES pg_ctl status -D "$DATA_FOLDER" > /dev/null || exit 0
    exec $AS_POSTGRES pg_ctl stop -w -t 300 -m fast -D "$DATA_FOLDER" > /dev/null ;;
  'restart postgresql') "$0" stop postgresql && exec "$0" start postgresql ;;
  'start tiwala@1 tiwala@2')
    cd "$ROOT"
    env -i PATH="$PATH" setsid node --env-file="$FOLDER/tiwala.env" apps/server/main.js \\
      > "$FOLDER/tiwala.log" 2>&1 &
    echo $! > "$FOLDER/tiwala.pid" ;;
  'stop tiwala@1 tiwala@2')
    pid=$(cat "$FOLDER/tiwala.pid")
    kill "$pid" && tail --pid="$pid" -f /dev/null ;;
  'start caddy' | 'stop caddy') ;;
  *) exit 1 ;;
esac`,
}

function findPrograms(): string {
  const [newest] = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  )
  if (!newest) throw new Error('This test needs PostgreSQL of Debian: apt-get install postgresql')
  return newest
}

/** A new PostgreSQL, and a shell environment with the replaced programs. Neither is started. */
export async function prepareRestore(folder: string) {
  const [programs, bin, parent, port] = [
    findPrograms(),
    join(folder, 'bin'),
    join(folder, 'postgresql'),
    await freePort(),
  ]
  await chmod(folder, 0o755)
  for (const path of [bin, parent, join(folder, 'safe'), join(folder, 'etc')]) await mkdir(path)
  for (const [name, script] of Object.entries(SHIMS))
    await writeFile(join(bin, name), `#!/bin/bash\nset -e\n${script}\n`, { mode: 0o755 })
  const isRoot = process.getuid?.() === 0
  const asPostgres = isRoot ? 'setpriv --reuid=postgres --regid=postgres --init-groups' : ''
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((option) =>
      Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' })),
    )
    await chown(parent, uid!, gid!)
  }
  const environment = {
    PATH: `${bin}:${join(ROOT, 'node_modules/.bin')}:${programs}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folder,
    ROOT,
    FOLDER: folder,
    DATA_FOLDER: join(parent, 'main'),
    AS_POSTGRES: asPostgres,
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'postgres',
    PGDATABASE: 'postgres',
  }
  const init = `cd / && $AS_POSTGRES initdb --auth trust --username postgres -E UTF8 \\
      -D "$DATA_FOLDER" > /dev/null
    $AS_POSTGRES tee --append "$DATA_FOLDER/postgresql.conf" > /dev/null <<END
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
END`
  execFileSync('bash', ['--norc', '-euc', init], { env: environment })
  return { environment, url: `postgres://postgres@127.0.0.1:${port}/postgres` }
}
