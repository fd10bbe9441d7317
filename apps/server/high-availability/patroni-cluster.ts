// A PostgreSQL cluster as in production (`OPERATIONS.md`): two servers under Patroni with synchronous
// replication, etcd, and HAProxy, which leads to the primary. All are on loopback ports.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/testing/free-port.ts'
import { acceptsWrites } from './accepts-writes.ts'
import { makeFolder, postgresFolder, type Program, startProgram } from './programs.ts'

const [USER, PASSWORD] = ['postgres', 'postgres']
const POLL_MS = 50
const START_WITHIN_MS = 180_000

const urlOf = (port: number) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`

type Node = { name: string; folder: string; port: number; restPort: number; patroni: Program }

export async function startPatroniCluster(folder: string) {
  makeFolder(folder)
  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()]
  const etcd = startEtcd(folder, etcdPort, peerPort)
  const nodes: Node[] = []
  for (const name of ['one', 'two']) {
    const node = { name, folder: join(folder, name), port: await freePort(), restPort: await freePort() }
    makeFolder(node.folder)
    writeFileSync(join(node.folder, 'patroni.json'), JSON.stringify(configure(node, etcdPort)))
    nodes.push({ ...node, patroni: startPatroni(node) })
  }
  const proxy = startProxy(folder, proxyPort, nodes)

  /** The node that accepts writes. */
  async function findPrimary(): Promise<Node | undefined> {
    const primary = await Promise.all(
      nodes.map(async (node) => ((await acceptsWrites(urlOf(node.port))) ? node : undefined)),
    )
    return primary.find((node) => node !== undefined)
  }
  /** Waits for a primary other than the given node. */
  async function waitForPrimary(other?: Node): Promise<Node> {
    for (const endsAtMs = performance.now() + START_WITHIN_MS; performance.now() < endsAtMs;) {
      const primary = await findPrimary()
      if (primary && primary !== other) return primary
      await sleep(POLL_MS)
    }
    throw new Error(`There is no new primary. The logs are in ${folder}.`)
  }
  /** From then on, the primary acknowledges a commit only after its standby has it, and may be replaced. */
  async function waitForSynchronousStandby(): Promise<void> {
    for (const endsAtMs = performance.now() + START_WITHIN_MS; performance.now() < endsAtMs;) {
      const { restPort } = await waitForPrimary()
      const cluster = await fetch(`http://127.0.0.1:${restPort}/cluster`)
      const { members } = (await cluster.json()) as { members: { role: string; state: string }[] }
      if (members.some(({ role, state }) => role === 'sync_standby' && state === 'running')) return
      await sleep(POLL_MS)
    }
    throw new Error(`There is no synchronous standby. The logs are in ${folder}.`)
  }
  /** As before maintenance of its machine. Returns the previous primary. */
  async function switchOver(): Promise<Node> {
    const leader = await waitForPrimary()
    const body = JSON.stringify({ leader: leader.name })
    const response = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, { method: 'POST', body })
    if (!response.ok) throw new Error(`Patroni refuses the switchover: ${await response.text()}`)
    return leader
  }
  /** As when its machine loses power: Patroni and PostgreSQL end at once. */
  async function killPrimary(): Promise<Node> {
    const primary = await waitForPrimary()
    const ended = primary.patroni.end('SIGKILL')
    process.kill(postmasterOf(primary), 'SIGKILL')
    await ended
    return primary
  }
  return {
    url: urlOf(proxyPort),
    waitForPrimary,
    waitForSynchronousStandby,
    switchOver,
    killPrimary,
    restart: (node: Node) => void (node.patroni = startPatroni(node)),
    async [Symbol.asyncDispose]() {
      await proxy.end('SIGTERM')
      await Promise.all(nodes.map(({ patroni }) => patroni.end('SIGTERM')))
      await etcd.end('SIGTERM')
    },
  }
}

function startEtcd(folder: string, port: number, peerPort: number): Program {
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const options = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
  }
  return startProgram(
    'etcd',
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    folder,
    'etcd',
  )
}

const startPatroni = ({ folder }: Omit<Node, 'patroni'>) =>
  startProgram('patroni', ['patroni.json'], folder, 'patroni')

/** JSON is YAML, which Patroni reads. A dead primary is replaced after `ttl` seconds. */
const configure = ({ name, folder, port, restPort }: Omit<Node, 'patroni'>, etcdPort: number) => ({
  scope: 'tiwala',
  name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 5,
      retry_timeout: 5,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } },
    },
    initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    bin_dir: postgresFolder(),
    data_dir: join(folder, 'data'),
    pgpass: join(folder, 'pgpass'),
    authentication: {
      superuser: { username: USER, password: PASSWORD },
      replication: { username: 'replicator', password: PASSWORD },
    },
    parameters: { unix_socket_directories: folder, password_encryption: 'scram-sha-256' },
  },
})

/** HAProxy with the configuration of `OPERATIONS.md`, and the ports of this cluster. */
function startProxy(folder: string, port: number, nodes: Node[]): Program {
  const file = join(folder, 'haproxy.cfg')
  const page = readFileSync(new URL('../OPERATIONS.md', import.meta.url), 'utf8')
  const [, listen] = /^```\n(listen primary\n[^`]+)^```$/m.exec(page)!
  const options = listen!.replaceAll(/^ {2}(bind|server) .*\n/gm, '')
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}\n`,
  )
  writeFileSync(file, `${options}  bind 127.0.0.1:${port}\n${servers.join('')}`)
  return startProgram('haproxy', ['-db', '-f', file], folder, 'haproxy')
}

const postmasterOf = ({ folder }: Node) =>
  Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
