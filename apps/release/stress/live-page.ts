// Runs the commands of "From nothing to live" (`OPERATIONS.md`) word for word, in a temporary folder.
//
// Replaced, because a test may not change the machine:
// - folders, ports, names in `.example` and the Unix socket of PostgreSQL (`replacements`);
// - the downloads: the Node that runs the test, packed like the archive of nodejs.org, and the release of
//   this repository;
// - `sudo` runs the command as the same user; `apt-get` checks that the packages' programs exist; `adduser`
//   and `install` change no owner;
// - `systemctl` runs `ExecStart` and `ExecStartPost` of the unit, and Caddy with the written file and its own
//   authority.
import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../contents.ts'
import { run } from './build.ts'

const SHIMS = {
  sudo: 'while [ "$1" = -u ]; do shift 2; done\nexec "$@"',
  'apt-get':
    'shift 2\nfor each; do case $each in postgresql) each=psql;; xz-utils) each=xz;; esac\n' +
    'command -v $each > /dev/null || { echo "install $each"; exit 1; }; done',
  adduser: 'exit 0',
  install: `case $1 in
  --directory) mkdir -p "\${@: -1}" && chmod 0700 "\${@: -1}" ;;
  *) cp "\${@: -2:1}" "\${@: -1}" ;;
esac`,
  createuser: '/usr/bin/createuser "$1" && /usr/bin/psql -qc "alter role $1 password \'tiwala\'" postgres',
  systemctl: `start() {
  ports=($OPERATOR_PORTS)
  unit=$(sed "s|:808%i|:\${ports[$1 - 1]}|; s|/opt/|$FOLDER/opt/|g; s|/etc/tiwala|$FOLDER/etc|g" \\
    "$FOLDER/units/tiwala@.service")
  value() { sed -n "s/^$1=//p" <<< "$unit"; }
  env -i PATH="$PATH" $(value Environment) setsid $(value ExecStart) > "$FOLDER/logs/tiwala@$1.log" 2>&1 &
  export MAINPID=$!
  echo "$MAINPID" > "$FOLDER/logs/tiwala@$1.pid"
  eval "$(value ExecStartPost)"
}
case "$*" in
  daemon-reload) ;;
  'enable --now tiwala@1 tiwala@2') start 1 && start 2 ;;
  'restart tiwala@1' | 'restart tiwala@2')
    pid=$(cat "$FOLDER/logs/$2.pid")
    kill "$pid" && tail --pid="$pid" -f /dev/null
    start "\${2#tiwala@}" ;;
  'stop tiwala@1 tiwala@2')
    for unit in $2 $3; do
      pid=$(cat "$FOLDER/logs/$unit.pid")
      kill "$pid" && tail --pid="$pid" -f /dev/null
      rm "$FOLDER/logs/$unit.pid"
    done ;;
  'reload caddy')
    cd "$FOLDER/caddy"
    printf '{\\n admin off\\n skip_install_trust\\n auto_https disable_redirects\\n' > test
    tail --lines=+2 Caddyfile >> test
    export XDG_DATA_HOME="$FOLDER/caddy" HOME="$FOLDER/caddy"
    setsid caddy run --config test --adapter caddyfile > "$FOLDER/logs/caddy.log" 2>&1 &
    echo $! > "$FOLDER/logs/caddy.pid" ;;
  *) exit 1 ;;
esac`,
}

/** Writes the replaced programs. Returns the environment of a shell that uses them. */
export async function prepareShell(
  folder: string,
  postgresUrl: string,
  operatorPorts: number[],
): Promise<NodeJS.ProcessEnv> {
  const bin = join(folder, 'bin')
  for (const path of [
    bin,
    ...['logs', 'caddy', 'units', 'opt', 'usr/local/bin'].map((name) => join(folder, name)),
  ])
    await mkdir(path, { recursive: true })
  for (const [name, script] of Object.entries(SHIMS)) {
    await writeFile(join(bin, name), `#!/bin/bash\n${script}\n`)
    await chmod(join(bin, name), 0o755)
  }
  const { hostname, port, username, password } = new URL(postgresUrl)
  const authority = join(folder, 'caddy/caddy/pki/authorities/local/root.crt')
  return {
    PATH: `${bin}:${join(folder, 'usr/local/bin')}:/usr/bin:/bin`,
    HOME: folder,
    FOLDER: folder,
    OPERATOR_PORTS: operatorPorts.join(' '),
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    CURL_CA_BUNDLE: authority,
    NODE_EXTRA_CA_CERTS: authority,
  }
}

/** Makes a folder with the downloads of the page: Node and the release. Returns its URL. */
export async function prepareDownloads(folder: string): Promise<string> {
  const downloads = join(folder, 'downloads')
  await cp(join(ROOT, 'dist-release'), downloads, { recursive: true })
  const { stdout: machine } = spawnSync('uname', ['-m'], { encoding: 'utf8' })
  const name = `node-${process.version}-linux-${machine.trim() === 'aarch64' ? 'arm64' : 'x64'}`
  await mkdir(join(downloads, name, 'bin'), { recursive: true })
  await cp(process.execPath, join(downloads, name, 'bin/node'))
  await run('tar', ['--create', '--file', `${name}.tar.xz`, '-I', 'xz -0', name], { cwd: downloads })
  const { stdout } = await run('sha256sum', [`${name}.tar.xz`], { cwd: downloads })
  // The file of nodejs.org also lists the archives for other systems.
  await writeFile(join(downloads, 'SHASUMS256.txt'), `${'0'.repeat(64)}  node.pkg\n${stdout}`)
  return `file://${downloads}`
}

const FRONT_PAGE = 'docs/live.partner.citizen-app.workbench/index.html'

/** Makes the archive of the next version. Its documentation says which version it is. */
export async function packNextVersion(folder: string, version: string): Promise<void> {
  const next = `tiwala-${version}`
  await cp(join(folder, 'opt/tiwala/'), join(folder, next), { recursive: true })
  const page = join(folder, next, FRONT_PAGE)
  await writeFile(page, `${await readFile(page, 'utf8')}<!-- ${next} -->`)
  await run('tar', ['--create', '--gzip', '--file', `${next}.tar.gz`, next], { cwd: folder })
}
