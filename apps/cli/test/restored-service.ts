// A service whose backup is restored, with its operator, partners and citizens.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CitizenAppOperations, type OperatorOperations, routes } from '@tiwala/contract'
import document from '@tiwala/contract/operator.json' with { type: 'json' }
import { startService } from '@tiwala/server/testing'
import { createTransport } from '@tiwala/transport'
import { inject, vi } from 'vitest'
import type { AuditEntry } from '../src/audit-entries.ts'
import { tiwala } from './tiwala.ts'

const example =
  document.paths[routes.operator.upsertCitizen.path].put.requestBody.content['application/json'].examples
    .citizen.value

export type RestoredService = Awaited<ReturnType<typeof startRestoredService>>
export type Citizen = Awaited<ReturnType<RestoredService['citizen']>>

export async function startRestoredService() {
  const service = await startService(inject('engine'))
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-restore-'))
  const [url, token] = [`${service.url}/operator/v1`, await service.tokens.operator()]
  const operator = createTransport<OperatorOperations>(routes.operator, {
    baseUrl: url,
    headers: { Authorization: `Bearer ${token}` },
  })
  const run = (...argv: string[]) =>
    tiwala(argv, { env: { TIWALA_OPERATOR_URL: url, TIWALA_OPERATOR_TOKEN: token } })
  let count = 0

  async function partner() {
    const partner_code = `RESTORED_${++count}`
    const scopes = ['PROFILE_INQUIRE' as const]
    const body = { partner_code, name: 'Restored', purpose: 'To test.', scopes }
    const { secret_code, secret_token } = (await operator('createPartner', { body })).body.credentials
    return { code: partner_code, headers: { 'X-Secret-Code': secret_code, 'X-Secret-Token': secret_token } }
  }

  async function citizen() {
    const uniqid = `RESTORED-${++count}`
    const body = { ...example, profile: { ...example.profile, uniqid } } as never
    await operator('upsertCitizen', { path: { uniqid }, body })
    const app = createTransport<CitizenAppOperations>(routes['citizen-app'], {
      baseUrl: `${service.url}/citizen/v1`,
      headers: { Authorization: `Bearer ${await service.tokens.citizen(uniqid)}` },
    })
    /** The tracking number of a record that the citizen has accepted. */
    const accept = async (headers: Record<string, string>) => {
      const { qr_value } = (await app('issueQrCode', { body: { purpose: 'inquire' } })).body
      const response = await fetch(`${service.url}/api/pub/request_authorization`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ qr_value }),
      })
      const { tracking_no } = ((await response.json()) as { data: { tracking_no: string } }).data
      await app('acceptAuthorization', { path: { tracking_no } })
      return tracking_no
    }
    const setPreferences = (frozen: boolean, blocked_partners: string[]) =>
      app('replacePreferences', { body: { frozen, blocked_partners } })
    const read = async () => (await app('readPreferences', {})).body
    return { uniqid, app, accept, setPreferences, read }
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
