// A second PostgreSQL that follows the first one by streaming replication, and can replace it.
import { execFile } from 'node:child_process'
import { chown, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { onServer } from '../src/testing/database.ts'
import type { OwnPostgres } from '../src/testing/postgres.ts'
import { temporaryPostgres } from '../test/kit/temporary-resources.ts'

const POLLING = { timeout: 20_000, interval: 20 }

/** `over`: the address of the primary for the replication. */
export async function startStandby(primary: OwnPostgres, over: string, settings: Record<string, string>) {
  const { port } = new URL(over)
  const primary_conninfo = `host=127.0.0.1 port=${port} user=postgres password=postgres`
  const standby = await temporaryPostgres({ ...settings, primary_conninfo }, (dataFolder) =>
    copy(primary, dataFolder),
  )
  await vi.waitUntil(() => isFollowed(primary), POLLING)
  return standby
}

/** Like pg_basebackup, which is not among the binaries. */
const copy = (primary: OwnPostgres, dataFolder: string) =>
  onServer(primary.url, async (client) => {
    await client.query(`select pg_backup_start('standby', fast => true)`)
    await promisify(execFile)('cp', ['-a', primary.dataFolder, dataFolder])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    const { uid, gid } = await stat(dataFolder)
    const write = async (name: string, text: string) => {
      await writeFile(join(dataFolder, name), text)
      await chown(join(dataFolder, name), uid, gid)
    }
    await write('backup_label', rows[0]!.labelfile)
    await write('standby.signal', '')
    await rm(join(dataFolder, 'postmaster.pid'))
  })

/** From then on, the primary acknowledges a commit only after the standby has it on disk. */
export async function waitForStandby(primary: OwnPostgres): Promise<void> {
  await onServer(primary.url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '*'`)
    await client.query('select pg_reload_conf()')
  })
  await vi.waitUntil(() => isFollowed(primary, `sync_state = 'sync'`), POLLING)
}

async function isFollowed({ url }: OwnPostgres, how = `state = 'streaming'`): Promise<boolean> {
  let isReplicating = false
  await onServer(url, async (client) => {
    isReplicating = (await client.query(`select 1 from pg_stat_replication where ${how}`)).rows.length > 0
  })
  return isReplicating
}

/** Returns after the standby accepts writes. */
export const promote = ({ url }: OwnPostgres) =>
  onServer(url, (client) => client.query('select pg_promote(wait => true)'))
