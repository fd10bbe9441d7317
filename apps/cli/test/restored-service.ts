// A service whose backup is restored, with its operator, partners and citizens.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basePathOf } from '@tiwala/kit/operations'
import { citizenApp, createCitizen, createPartner, operatorApi, partnerApi } from '@tiwala/kit/users'
import { startService } from '@tiwala/server/testing'
import { inject, vi } from 'vitest'
import type { AuditEntry } from '../src/audit-range.ts'
import { tiwala } from './tiwala.ts'

export type RestoredService = Awaited<ReturnType<typeof startRestoredService>>
export type Citizen = Awaited<ReturnType<RestoredService['citizen']>>

export async function startRestoredService() {
  const service = await startService(inject('engine'))
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-restore-'))
  const [url, token] = [service.url + basePathOf('operator'), await service.tokens.operator()]
  const operator = operatorApi(url, token)
  const run = (...argv: string[]) =>
    tiwala(argv, { env: { TIWALA_OPERATOR_URL: url, TIWALA_OPERATOR_TOKEN: token } })
  let count = 0

  async function partner() {
    const code = `RESTORED_${++count}`
    const { headers } = await createPartner(operator, { partner_code: code, scopes: ['PROFILE_INQUIRE'] })
    return { code, headers }
  }

  async function citizen() {
    const uniqid = `RESTORED-${++count}`
    await createCitizen(operator, uniqid)
    const { app, showQr, accept, setPreferences } = citizenApp(
      service.url + basePathOf('citizen-app'),
      await service.tokens.citizen(uniqid),
    )
    return {
      uniqid,
      app,
      /** The tracking number of a record that the citizen has accepted. */
      accept: async (headers: Record<string, string>) => {
        const requested = await partnerApi(service.url, headers)('requestAuthorization', {
          body: { qr_value: await showQr() },
        })
        const { tracking_no } = requested.body.data
        await accept(tracking_no)
        return tracking_no
      },
      setPreferences: (frozen: boolean, blocked_partners: string[]) =>
        setPreferences({ frozen, blocked_partners }),
      read: async () => (await app('readPreferences', {})).body,
    }
  }

  /** Waits until every event is sealed, and exports the audit. */
  async function exportAudit(): Promise<AuditEntry[]> {
    const path = join(folder, 'export.ndjson')
    return vi.waitUntil(
      async () => {
        const { body } = await operator('verifyAudit', { query: { limit: 1 } })
        if (body.unsealed_rows > 0) return false
        await run('audit', 'export', '--file', path)
        const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
        const entries = lines.map((line) => JSON.parse(line) as AuditEntry)
        const newest = Math.max(
          ...entries.map((entry) => ('checkpoint' in entry ? entry.checkpoint.checkpoint : 0)),
        )
        return (
          entries.every(
            (entry) => !('event' in entry) || (entry.event.seal?.checkpoint ?? Infinity) <= newest,
          ) && entries
        )
      },
      { timeout: 60_000, interval: 50 },
    )
  }

  async function write(entries: readonly unknown[]): Promise<string> {
    const path = join(folder, 'audit.ndjson')
    await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    return path
  }

  /** `tiwala restore-complete --replay` with these entries. */
  const replay = async (entries: readonly unknown[], ...options: string[]) =>
    run('restore-complete', '--yes', '--replay', await write(entries), ...options)

  async function close() {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...service, folder, operator, run, partner, citizen, exportAudit, replay, close }
}
