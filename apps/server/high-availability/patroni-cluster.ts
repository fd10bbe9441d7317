// The machines of "High availability" (`OPERATIONS.md`), at loopback addresses: two with PostgreSQL under
// Patroni, one with etcd alone, and one for Tiwala, with HAProxy. The commands of the page set them up, back
// them up and restore them.
import { randomInt } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readNamedCommands, replaceAll } from '../stress/page-commands.ts'
import { acceptsWrites } from './accepts-writes.ts'
import { type Machine, startMachine } from './machine.ts'
import { makeFolder } from './programs.ts'

const POLL_MS = 50
const START_WITHIN_MS = 180_000
/** The commands of "High availability", in its order. */
const COMMANDS = [
  'etcd',
  'patroni',
  'proxy',
  'database',
  'settings',
  'list',
  'switchOver',
  'powerOff',
  'copyData',
] as const
/** The commands of "Back up and restore under Patroni", in its order. */
const BACKUP_COMMANDS = ['archive', 'baseBackup', 'stop', 'setAside', 'restore', 'start'] as const

/** Resolves with the first result that is not `undefined`. */
async function waitFor<T>(problem: string, find: () => Promise<T | undefined>): Promise<T> {
  for (const endsAtMs = performance.now() + START_WITHIN_MS; performance.now() < endsAtMs;) {
    const found = await find()
    if (found !== undefined) return found
    await sleep(POLL_MS)
  }
  throw new Error(problem)
}

export async function startPatroniCluster(folder: string) {
  makeFolder(folder)
  const commands = await readNamedCommands('OPERATIONS.md', 'High availability', COMMANDS)
  const backup = await readNamedCommands(
    'OPERATIONS.md',
    'Back up and restore under Patroni',
    BACKUP_COMMANDS,
  )
  // Both machines mount it.
  const backups = join(folder, 'backups')
  makeFolder(backups)
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`
  const startOne = (number: number) =>
    startMachine(join(folder, `machine-${number}`), `${network}.${number}`, {
      '127.0.0.1': `${network}.4`,
      'ADDRESS=10.0.0.1': `ADDRESS=10.0.0.${number}`,
      // Connections within a machine come from 127.0.0.1.
      '10.0.0.0/24': '127.0.0.0/8',
      '10.0.0.': `${network}.`,
      '/var/backups': backups,
    })
  const [third, tiwala] = [startOne(3), startOne(4)]
  const servers = [startOne(1), startOne(2)]

  /** Waits for a primary other than the given server. */
  const waitForPrimary = (other?: Machine): Promise<Machine> =>
    waitFor(`There is no new primary. The logs are in ${folder}.`, async () => {
      const primary = await Promise.all(
        servers.map(async (server) =>
          (await acceptsWrites(`postgres://postgres:POSTGRES_PASSWORD@${server.address}/postgres`))
            ? server
            : undefined,
        ),
      )
      return primary.find((server) => server !== undefined && server !== other)
    })
  /** From then on, the primary acknowledges a commit only after its standby has it, and may be replaced. */
  const waitForSynchronousStandby = (): Promise<true> =>
    waitFor(`There is no synchronous standby. The logs are in ${folder}.`, async () => {
      const { address } = await waitForPrimary()
      const cluster = await fetch(`http://${address}:8008/cluster`)
      const { members } = (await cluster.json()) as { members: { role: string; state: string }[] }
      return (
        members.some(({ role, state }) => role === 'sync_standby' && /^(running|streaming)$/.test(state)) ||
        undefined
      )
    })

  for (const machine of [...servers, third]) await machine.run(commands.etcd)
  for (const server of servers) await server.run(commands.patroni)
  await tiwala.run(commands.proxy)
  await Promise.all([waitForPrimary(), tiwala.run(commands.database)])
  const url = await tiwala.run(`${commands.settings}echo "$DATABASE_URL"`)
  return {
    url: url.trim(),
    waitForPrimary,
    waitForSynchronousStandby,
    list: () => servers[0]!.run(commands.list),
    /** As before maintenance of the machine of the primary. */
    switchOver: (primary: Machine) => primary.run(commands.switchOver),
    /** As when the machine of the primary loses power. */
    powerOff: (primary: Machine) => primary.run(commands.powerOff),
    /** Deletes the data of the standby and copies those of the primary. */
    async copyData(): Promise<void> {
      const primary = await waitForPrimary()
      const standby = servers.find((server) => server !== primary)!
      const copiedAtMs = () =>
        statSync(join(standby.data, 'PG_VERSION'), { throwIfNoEntry: false })?.ctimeMs ?? 0
      const before = copiedAtMs()
      await standby.run(commands.copyData)
      const hasNewData = async () => copiedAtMs() > before || undefined
      await waitFor(`Patroni copies no data. The logs are in ${folder}.`, hasNewData)
      await waitForSynchronousStandby()
    },
    archive: () => servers[0]!.run(backup.archive),
    /** As the timers of both machines do. */
    async backUp(): Promise<void> {
      for (const server of servers) await server.run(backup.baseBackup)
    },
    /** Restores the one base backup, and the archived WAL up to a time. */
    async restore(time: string): Promise<void> {
      const [name, ...others] = readdirSync(join(backups, 'tiwala/base'))
      if (!name || others.length) throw new Error(`There must be one base backup in ${backups}.`)
      const primary = await waitForPrimary()
      const standby = servers.find((server) => server !== primary)!
      for (const server of [standby, primary]) await server.run(backup.stop)
      for (const server of servers) await server.run(backup.setAside)
      // Where the base backup was made: in a test, each machine has folders of its own.
      await primary.run(replaceAll(backup.restore, { '2026-01-31 12:00:00+00': time, '2026-01-31': name }))
      await primary.run(backup.start)
      await waitForPrimary()
      await standby.run(backup.start)
      await waitForSynchronousStandby()
    },
    async [Symbol.asyncDispose]() {
      for (const machines of [[tiwala], servers, [third]])
        await Promise.all(machines.map((machine) => machine.shutDown()))
    },
  }
}
