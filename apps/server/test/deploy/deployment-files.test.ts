// The deployment files (`deploy/`) fit the service. The tools that read them check them in
// `npm run test:deploy`.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { CONNECTIONS_PER_PROCESS } from '../../src/database/session.ts'
import { MAX_STOP_MS } from '../../src/http/process/drain.ts'
import { VERSION } from '../../src/program.ts'
import { SETTINGS } from '../../src/settings.ts'
import { DOCUMENTS } from '../../src/settings/validators.ts'

const FOLDER = join(import.meta.dirname, '../../deploy')
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const texts = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
const valuesIn = (pattern: RegExp, ...names: string[]) =>
  (names.length ? names.map(read) : texts).flatMap((text) =>
    [...text.matchAll(pattern)].map(([, value]) => value!),
  )

type Environment = Record<string, string>
type Values = { settings: Record<string, string | number>; [name: string]: unknown }
const values = parse(read('chart/values.yaml')) as Values
const example = parse(read('chart/example-values.yaml')) as Values
const compose = parse(read('compose.yaml')) as {
  networks: { front: { ipam: { config: [{ subnet: string; ip_range: string }] } } }
  configs: { Caddyfile: { content: string } }
  services: Record<
    'tiwala',
    { environment: Environment; stop_grace_period: string; ports: string[]; volumes: string[] }
  > &
    Record<'proxy', { networks: { front: { ipv4_address: string } } }>
}

const file = parseEnv(read('tiwala.env')) as Environment
const ofImage = parseEnv(
  valuesIn(/^ENV (.*)$/gm, 'Containerfile')
    .join(' ')
    .replaceAll(' ', '\n'),
) as Environment
const addressesOf = (environment: Environment) =>
  readConfig(environment).listeners.map(({ host, port }) => `${host}:${port}`)

describe('settings', () => {
  test('every named setting exists', () => {
    const named = valuesIn(/\b(TIWALA_[A-Z_]+)\b/g)
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([])
  })

  test('the settings of a machine start live processes that share only the public port', () => {
    expect(addressesOf(file)).toEqual(['127.0.0.1:8080', '127.0.0.1:8081'])
    const [ofUnit] = valuesIn(/^Environment=(.*)$/gm, 'tiwala@.service')
    const second = {
      ...file,
      ...(parseEnv(ofUnit!.replaceAll(' ', '\n').replaceAll('%i', '2')) as Environment),
    }
    expect(addressesOf(second)).toEqual(['127.0.0.1:8080', '127.0.0.1:8082'])
    const { environment, listeners } = readConfig(second)
    expect(environment).toBe('live')
    expect(listeners.map(({ reusePort }) => reusePort)).toEqual([true, false])
  })

  test('those of the compose file do, and trust its proxy', () => {
    const { tiwala, proxy } = compose.services
    const settings = {
      ...file,
      ...ofImage,
      ...tiwala.environment,
      TIWALA_PUBLIC_URL: 'https://tiwala.example',
    }
    expect(addressesOf(settings)).toEqual(['0.0.0.0:8080', '0.0.0.0:8081'])
    expect(readConfig(settings).trustedProxies).toEqual([proxy.networks.front.ipv4_address])
    expect(tiwala.ports).toEqual(['127.0.0.1:8081:8081'])
  })

  test('the address of the proxy is never given to another container', () => {
    const { ipv4_address: address } = compose.services.proxy.networks.front
    const [{ subnet, ip_range }] = compose.networks.front.ipam.config
    const contains = (range: string) => {
      const [network, prefix] = range.split('/')
      const list = new BlockList()
      list.addSubnet(network!, Number(prefix))
      return list.check(address)
    }
    expect([contains(subnet), contains(ip_range)]).toEqual([true, false])
  })

  test('those of the chart do', () => {
    const settings = Object.entries({ ...values.settings, ...example.settings })
    const environment = Object.fromEntries(settings.map(([name, value]) => [name, String(value)]))
    const ofSecrets = { DATABASE_URL: file['DATABASE_URL']!, TIWALA_KEY_RING_FILE: '/keys.json' }
    expect(addressesOf({ ...environment, ...ofSecrets })).toEqual(['0.0.0.0:8080', '0.0.0.0:8081'])
    // A process with one document may listen at one of these only.
    const probed = valuesIn(/httpGet: \{ path: \S+, port: (\w+) \}/g, 'chart/templates/deployment.yaml')
    expect(probed).toHaveLength(3)
    for (const name of new Set(probed)) {
      const [port] = valuesIn(
        new RegExp(`name: ${name}, containerPort: (\\d+)`, 'g'),
        'chart/templates/deployment.yaml',
      )
      for (const TIWALA_DOCUMENTS of DOCUMENTS)
        expect(addressesOf({ ...environment, ...ofSecrets, TIWALA_DOCUMENTS })).toContain(`0.0.0.0:${port}`)
    }
  })
})

test('no command of the guide mounts a folder for writing that the compose file mounts read-only', () => {
  const readOnly = compose.services.tiwala.volumes.flatMap((volume) => /:(\/.+):ro$/.exec(volume)?.[1] ?? [])
  expect(readOnly).toEqual(['/etc/tiwala'])
  const page = readFileSync(join(FOLDER, '../OPERATIONS.md'), 'utf8').replaceAll('\\\n', '')
  const commands = page.match(/\bdocker run .*--volume .*/g)
  expect(commands?.length).toBeGreaterThan(2)
  // Compose would ignore such an option, and take the volume of the file.
  const ignored = [...page.matchAll(/\bdocker compose run .*?--volume \S+?:(\/[^\s:"]+)/g)]
  expect(ignored.filter(([, target]) => readOnly.includes(target!))).toEqual([])
})

describe("the chart's schema", () => {
  const isValid = new Ajv2020({ allowUnionTypes: true }).compile(
    JSON.parse(read('chart/values.schema.json')) as object,
  )
  const complete = { ...values, settings: { ...values.settings, ...example.settings } }
  const withSetting = (name: string, value: unknown) => ({
    ...complete,
    settings: { ...complete.settings, [name]: value },
  })

  const withMore = {
    ...complete,
    env: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/tiwala/authority/ca.crt' }],
    envFrom: [{ secretRef: { name: 'tiwala-pooler' } }],
    volumes: [{ name: 'authority', configMap: { name: 'authority' } }],
    volumeMounts: [{ name: 'authority', mountPath: '/etc/tiwala/authority' }],
  }

  test('it accepts the example, a further setting, and variables and files of the installation', () => {
    for (const accepted of [complete, withSetting('TIWALA_REQUESTS_PER_MINUTE', 240), withMore]) {
      isValid(accepted)
      expect(isValid.errors).toBeNull()
    }
    const used = valuesIn(/\.Values\.(env|envFrom|volumes|volumeMounts) /g, 'chart/templates/deployment.yaml')
    expect(used.toSorted()).toEqual(['env', 'envFrom', 'volumeMounts', 'volumes'])
  })

  test.each([
    ['the values without the addresses of the installation', values],
    ['an empty setting', withSetting('TIWALA_PUBLIC_URL', '')],
    ['a secret among the settings', withSetting('DATABASE_URL', 'postgres://tiwala@database/tiwala')],
    ['a key ring among the settings', withSetting('TIWALA_KEY_RING', '{}')],
    ['a port, which the probes would not know', withSetting('PORT', 9090)],
    ['an address that the probes cannot reach', withSetting('TIWALA_OPERATOR_ADDRESS', '127.0.0.1:8081')],
    ['no operator address: its default is a loopback one', withSetting('TIWALA_OPERATOR_ADDRESS', undefined)],
    ['an unknown value', { ...complete, replicaCount: 3 }],
    ['a network policy that admits every peer', { ...complete, networkPolicy: { publicFrom: [] } }],
  ])('it refuses %s', (_what, wrong) => {
    expect(isValid(wrong)).toBe(false)
  })
})

test('the Prometheus Operator gives the metrics the job that the alerts select', () => {
  const [label] = valuesIn(/^ {2}jobLabel: (.*)$/gm, 'chart/templates/service-monitor.yaml')
  expect(read('chart/templates/_names.tpl')).toContain(`${label}: {{ .Release.Name }}\n`)
  const operations = readFileSync(join(FOLDER, '../OPERATIONS.md'), 'utf8')
  const [, release] = /^helm install (\S+) /m.exec(operations)!
  const rules = readFileSync(join(FOLDER, '../observability/rules.yaml'), 'utf8')
  expect(new Set([...rules.matchAll(/job="([^"]+)"/g)].map(([, job]) => job))).toEqual(new Set([release]))
})

test('no proxy logs headers and queries: they hold secrets, QR values and tracking numbers', () => {
  const optionsOf = (caddyfile: string) => /^\{\n.*?^\}\n/ms.exec(caddyfile)?.[0].replaceAll(/ +/g, ' ')
  const page = readFileSync(join(FOLDER, '../OPERATIONS.md'), 'utf8')
  const [, ofPage] = /Caddyfile > \/dev\/null <<'END'\n(.*?)^END$/ms.exec(page)!
  // A test of the release (`stress/live-page.test.ts`) reads what Caddy logs with these options.
  expect(optionsOf(ofPage!)).toContain('request>headers delete')
  expect(optionsOf(compose.configs.Caddyfile.content)).toBe(optionsOf(ofPage!))
  const servers = read('nginx.conf')
    .split(/^server /m)
    .slice(1)
  expect(servers.map((server) => server.includes('access_log off;'))).toEqual([true, true])
  // At each other level, nginx can log an error with the line of the request.
  expect(servers.at(-1)).toMatch(/error_log \S+ emerg;/)
})

/** What the chart adds to the seconds of a drain: `<name>: {{ add 30 (div (int ...TIWALA_DRAIN_MS) 1000) }}`. */
const addedToDrain = (name: string) =>
  Number(
    valuesIn(
      new RegExp(`${name}: \\{\\{ add (\\d+) \\(div \\(int \\S*TIWALA_DRAIN_MS\\) 1000\\)`, 'g'),
      'chart/templates/deployment.yaml',
    )[0],
  )

test('each supervisor waits longer than the service takes to stop', () => {
  const secondsToStop = (drainMs: number) => (drainMs + MAX_STOP_MS) / 1_000
  const { drainMs } = readConfig(file)
  expect(Number(valuesIn(/^TimeoutStopSec=(\d+)$/gm, 'tiwala@.service')[0])).toBeGreaterThan(
    secondsToStop(drainMs),
  )
  expect(Number.parseInt(compose.services.tiwala.stop_grace_period, 10)).toBeGreaterThan(
    secondsToStop(drainMs),
  )
  expect(addedToDrain('terminationGracePeriodSeconds')).toBeGreaterThan(secondsToStop(0))
})

test('an update of the chart lets an old pod end before the next one drains', () => {
  // Helm rounds TIWALA_DRAIN_MS down to seconds.
  expect(addedToDrain('minReadySeconds')).toBeGreaterThanOrEqual(MAX_STOP_MS / 1_000 + 1)
  // Otherwise Kubernetes refuses the manifest.
  expect(addedToDrain('progressDeadlineSeconds')).toBeGreaterThan(addedToDrain('minReadySeconds'))
})

describe('no supervisor ends a process during a long migration', () => {
  const [command] = valuesIn(/^ExecStartPost=sh -c '(.*)'$/gm, 'tiwala@.service')

  test('under systemd, where a start ends when its process is ready or has ended', () => {
    expect(valuesIn(/^TimeoutStartSec=(.*)$/gm, 'tiwala@.service')).toEqual(['infinity'])
    const { pid } = spawnSync('true')
    const script = command!.replaceAll('808%i', '1')
    const { status, signal } = spawnSync('sh', ['-c', script], {
      env: { PATH: process.env['PATH'], MAINPID: String(pid) },
      timeout: 30_000,
    })
    expect({ status, signal }).toEqual({ status: 1, signal: null })
  })

  test('in the chart, for a day', () => {
    const { startupProbe } = parse(
      /^ {10}startupProbe:\n(?: {12}.*\n)+/m.exec(read('chart/templates/deployment.yaml'))![0],
    ) as { startupProbe: { periodSeconds: number; failureThreshold: number } }
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(86_400)
  })
})

test('the numbers of connections, Node and the release are those of the service', () => {
  const connections = valuesIn(/((?<=mul )\d+|\b\d+(?= connections))/g)
  expect(connections.length).toBeGreaterThan(2)
  expect(new Set(connections)).toEqual(new Set([`${CONNECTIONS_PER_PROCESS}`]))
  const nodeVersion = readFileSync(join(import.meta.dirname, '../../../../.node-version'), 'utf8').trim()
  expect(valuesIn(/\/node:(\d+)-/g, 'Containerfile')).toEqual([nodeVersion])
  expect(valuesIn(/^(?:version|appVersion): (.*)$/gm, 'chart/Chart.yaml')).toEqual([VERSION, VERSION])
})

describe('the service runs as a user of its own, and cannot gain rights', () => {
  const [user] = valuesIn(/^USER (\d+:\d+)$/gm, 'Containerfile')

  test('in the image', () => {
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })

  test('under systemd', () => {
    const lines = read('tiwala@.service').split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'User=tiwala',
        'Group=tiwala',
        'UMask=0077',
        'LimitCORE=0',
        'NoNewPrivileges=yes',
        'CapabilityBoundingSet=',
        'AmbientCapabilities=',
        'ProtectSystem=strict',
      ]),
    )
  })

  test('in the compose file, as the user of the image', () => {
    expect(compose.services.tiwala).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ulimits: { core: 0 },
    })
    for (const name of ['user', 'privileged', 'cap_add'])
      expect(compose.services.tiwala).not.toHaveProperty(name)
  })

  test('in the chart, as the user of the image', () => {
    const ids = valuesIn(/(?:runAsUser|runAsGroup): (\d+)/g, 'chart/templates/deployment.yaml')
    expect(ids.join(':')).toBe(user)
    const lines = read('chart/templates/deployment.yaml')
      .split('\n')
      .map((line) => line.trim())
    expect(lines).toEqual(
      expect.arrayContaining([
        'runAsNonRoot: true',
        'seccompProfile: { type: RuntimeDefault }',
        'allowPrivilegeEscalation: false',
        'readOnlyRootFilesystem: true',
        'capabilities: { drop: [ALL] }',
      ]),
    )
  })
})
