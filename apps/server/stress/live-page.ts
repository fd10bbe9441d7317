// Runs the commands of "From nothing to live" (`OPERATIONS.md`) word for word, in a temporary folder.
//
// Replaced, because a test may not change the machine:
// - folders, ports, names in `.example` and the Unix socket of PostgreSQL (`replacements`);
// - `sudo` runs the command as the same user; `apt-get` checks that the packages' programs exist; `adduser`
//   and `install` change no owner; `git clone` clones this repository, and `npm ci` links its dependencies;
// - `systemctl` starts the `ExecStart` of the unit, and Caddy with the written file and its own authority.
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const SHIMS = {
  sudo: 'while [ "$1" = -u ]; do shift 2; done\nexec "$@"',
  'apt-get':
    'shift 2\nfor each; do case $each in postgresql) each=psql;; nodejs) each=node;; esac\n' +
    'command -v $each > /dev/null || { echo "install $each"; exit 1; }; done',
  adduser: 'exit 0',
  install: 'mkdir -p "${@: -1}" && chmod 0700 "${@: -1}"',
  createuser: '"$REAL/createuser" "$1" && "$REAL/psql" -qc "alter role $1 password \'tiwala\'" postgres',
  git: 'exec "$REAL/git" clone --quiet "$ROOT" "$3"',
  npm: 'if [ "$1" = ci ]; then exec cp -al "$ROOT/node_modules" node_modules; fi\nexec "$REAL_NPM" "$@"',
  systemctl: `case "$*" in
  daemon-reload) ;;
  'enable --now tiwala')
    command=$(sed -n 's/^ExecStart=//p' "$UNITS/tiwala.service")
    env -i PATH="$PATH" setsid $command > "$LOGS/tiwala.log" 2>&1 & echo $! > "$LOGS/tiwala.pid" ;;
  'reload caddy')
    printf '{\\n admin off\\n skip_install_trust\\n auto_https disable_redirects\\n}\\n' > "$CADDY/test"
    cat "$CADDY/Caddyfile" >> "$CADDY/test"
    export XDG_DATA_HOME="$CADDY" HOME="$CADDY"
    setsid caddy run --config "$CADDY/test" --adapter caddyfile > "$LOGS/caddy.log" 2>&1 &
    echo $! > "$LOGS/caddy.pid" ;;
  *) exit 1 ;;
esac`,
}

const find = (program: string) => spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim()

/** Writes the replaced programs. Returns the environment of a shell that uses them. */
export async function prepareShell(folder: string, postgresUrl: string): Promise<NodeJS.ProcessEnv> {
  const [bin, logs] = [join(folder, 'bin'), join(folder, 'logs')]
  for (const path of [bin, logs, join(folder, 'caddy'), join(folder, 'units'), join(folder, 'opt')])
    await mkdir(path)
  for (const [name, script] of Object.entries(SHIMS)) {
    await writeFile(join(bin, name), `#!/bin/bash\n${script}\n`)
    await chmod(join(bin, name), 0o755)
  }
  const { hostname, port, username, password } = new URL(postgresUrl)
  return {
    PATH: `${bin}:${join(ROOT, 'node_modules/.bin')}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folder,
    ROOT,
    REAL: '/usr/bin',
    REAL_NPM: find('npm'),
    UNITS: join(folder, 'units'),
    CADDY: join(folder, 'caddy'),
    LOGS: logs,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    CURL_CA_BUNDLE: join(folder, 'caddy/caddy/pki/authorities/local/root.crt'),
    NODE_EXTRA_CA_CERTS: join(folder, 'caddy/caddy/pki/authorities/local/root.crt'),
  }
}
