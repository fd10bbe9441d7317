// A backup is restored, and an export of the audit is replayed. `restored-service.ts` brings the rows back.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routes } from '@tiwala/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuditEntry } from '../src/audit-range.ts'
import { verifyLostEvents } from '../src/verify-lost-events.ts'
import { startRestoredService, type RestoredService } from './restored-service.ts'
import {
  changeSubjects,
  preferencesOf,
  prepareSubjects,
  readState,
  type Subjects,
} from './restored-subjects.ts'
import { createPartner, tiwala, type Outcome } from './tiwala.ts'

let service: RestoredService
let restore: () => Promise<void>
/** Exports of before the backup and after all changes. */
let [older, newer] = [[] as AuditEntry[], [] as AuditEntry[]]
let subjects: Subjects

beforeAll(async () => {
  service = await startRestoredService()
  subjects = await prepareSubjects(service)
  older = await service.exportAudit()
  restore = await service.backUp()
  await changeSubjects(service, subjects)
  newer = await service.exportAudit()
})
beforeEach(() => restore())
afterAll(() => service.close())

const linesOf = ({ stdout }: Outcome) => stdout.trimEnd().split('\n')
const state = () => readState(service, subjects)

const BACKUP = { frozen: false, blocked_partners: [] }

describe('restore-complete --replay', () => {
  test('0: nothing comes back; a second run changes nothing', async () => {
    const { hotel, bank, shop, trackingNo, removed, changed } = subjects
    expect(await state()).toEqual({
      secrets: { secret_token: 'ACTIVE', partner_secret: 'ACTIVE' },
      bank: 'ACTIVE',
      shop: 'SUSPENDED',
      consent: 'ACCEPTED',
      frozen: BACKUP,
      consenting: BACKUP,
      erased: BACKUP,
    })
    const first = await service.replay(newer)
    expect(await state()).toEqual({
      secrets: { secret_token: 'EXPIRED', partner_secret: 'REVOKED' },
      bank: 'SUSPENDED',
      shop: 'ACTIVE',
      consent: 'REVOKED',
      frozen: { frozen: true, blocked_partners: [bank.code, shop.code].toSorted() },
      consenting: BACKUP,
      erased: undefined,
    })
    expect([first.exitCode, first.stderr]).toEqual([0, ''])
    expect(linesOf(first)).toEqual([
      expect.stringMatching(`^applied +credential.revoked +${hotel.code} crd_\\w+$`),
      expect.stringMatching(
        `^applied +credential.rotated +${hotel.code} secret_token crd_\\w+ replaces crd_`,
      ),
      expect.stringMatching(`^applied +webhook_secret.rotated +${hotel.code}$`),
      expect.stringMatching(`^applied +partner.suspended +${bank.code}$`),
      expect.stringMatching(`^applied +partner.resumed +${shop.code}$`),
      expect.stringMatching(`^applied +authorization.revoked +${hotel.code} ${trackingNo}$`),
      expect.stringMatching(/^applied +preferences.changed +[\w-]{36}: frozen, blocked \w+ \w+$/),
      expect.stringMatching(/^applied +citizen.erased +[\w-]{36}$/),
      `to do: ${hotel.code} needs a new secret_token: ` +
        `tiwala credential rotate ${hotel.code} --kind secret_token --grace-days 0`,
      `to do: ${hotel.code} needs a new webhook_secret: ` +
        `tiwala webhook-secret rotate ${hotel.code} --grace-days 0`,
      expect.stringMatching(
        `^to do: check the member ${removed.memberId} of ${bank.code}: removed at [^,]+$`,
      ),
      expect.stringMatching(
        `^to do: check the member ${changed.memberId} viewer of ${bank.code}: changed at `,
      ),
      expect.stringMatching(
        `^to do: check scopes of ${bank.code}: changed at .*, and the audit has no values$`,
      ),
      expect.stringMatching(`^to do: check sign_in of ${bank.code}: changed at `),
      'applied: 8, already in effect: 0, not in the backup: 0, changed since: 0, NOT APPLIED: 0. ' +
        'The epoch is now 2. The restore is complete.',
    ])

    const counts = () => service.countRows('audit_event', 'webhook_secret', 'callback_event')
    const before = [await state(), await counts()]
    const second = await service.replay(newer, '--json')
    expect([await state(), await counts()]).toEqual(before)
    expect([second.exitCode, JSON.parse(second.stdout)]).toMatchObject([
      0,
      { counts: { applied: 0, in_effect: 8, not_applied: 0 }, epoch: null },
    ])
    expect((await service.run('audit', 'verify')).exitCode).toBe(0)
  })

  test('3, then 0: a run that ends in the middle is completed by the next one', async () => {
    const { fetch } = globalThis
    let left = 4
    vi.stubGlobal('fetch', (request: Request | string | URL, init?: RequestInit) => {
      const { pathname } = new URL(request instanceof Request ? request.url : request)
      if (pathname.endsWith(routes.operator.replayChange.path) && left-- <= 0)
        throw new TypeError('fetch failed')
      return fetch(request, init)
    })
    const first = await service.replay(newer).finally(() => vi.unstubAllGlobals())
    expect([first.exitCode, linesOf(first).length]).toEqual([3, 4])
    expect(first.stderr).toContain(
      'Stopped after 4 of 8 changes. The restore is not complete: run the command',
    )
    const second = JSON.parse((await service.replay(newer, '--json')).stdout) as object
    expect(second).toMatchObject({ counts: { applied: 4, in_effect: 4, not_applied: 0 }, epoch: 2 })
    expect(await preferencesOf(subjects.erased)).toBeUndefined()
  })

  test('0: what was changed after the restore stays', async () => {
    const { frozen, bank } = subjects
    await service.operator('suspendPartner', { path: { partner_code: bank.code } })
    await service.operator('resumePartner', { path: { partner_code: bank.code } })
    await frozen.setPreferences(false, [bank.code])
    await frozen.setPreferences(false, [])
    const { stdout } = await service.replay(newer, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ counts: { applied: 6, changed_since: 2 } })
    expect(await state()).toMatchObject({ bank: 'ACTIVE', frozen: BACKUP })
  })

  describe('refuses, and changes nothing', () => {
    const sealedErasure = (entry: AuditEntry) => 'event' in entry && entry.event.kind === 'citizen.erased'
    const edit = (find: (entry: AuditEntry) => boolean, alter: (entry: AuditEntry) => object) => {
      const index = newer.findIndex(find)
      return newer.with(index, alter(structuredClone(newer[index]!)) as AuditEntry)
    }
    const without = (find: (entry: AuditEntry) => boolean) => newer.toSpliced(newer.findIndex(find), 1)
    const otherDetail = (entry: AuditEntry) => ({
      event: { ...(entry as { event: object }).event, detail: crypto.randomUUID() },
    })
    const intact = /^The export is NOT intact\. First fault: checkpoint \d+.*Nothing was changed\.\n$/

    test.each<[string, () => readonly object[], number, RegExp]>([
      ['4: an edited event', () => edit(sealedErasure, otherDetail), 4, intact],
      ['4: a removed event', () => without(sealedErasure), 4, intact],
      [
        '4: a gap in the checkpoints',
        () => newer.filter((entry) => !('checkpoint' in entry && entry.checkpoint.checkpoint === 2)),
        4,
        intact,
      ],
      ['4: a cut-off end of the file', () => newer.slice(0, -3), 4, intact],
      ['2: no checkpoint', () => newer.filter((entry) => !('checkpoint' in entry)), 2, /no checkpoint/],
      [
        '2: an export from before the backup',
        () => older,
        2,
        /^--replay: the export has nothing that this database lacks: .+ without --replay/,
      ],
    ])('%s', async (_, entries, exitCode, message) => {
      const before = await state()
      const outcome = await service.replay(entries())
      expect([outcome.exitCode, outcome.stdout]).toEqual([exitCode, ''])
      expect(outcome.stderr).toMatch(message)
      expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(await state()).toEqual(before)
    })

    test('4: the export of another service', async () => {
      await createPartner()
      await vi.waitUntil(async () => (await tiwala(['audit', 'checkpoint', '1'])).exitCode === 0, 60_000)
      const path = join(service.folder, 'foreign.ndjson')
      await tiwala(['audit', 'export', '--file', path])
      const { exitCode, stderr } = await service.run('restore-complete', '--yes', '--replay', path)
      expect([exitCode, stderr]).toEqual([
        4,
        expect.stringMatching(/: key_unknown\. Nothing was changed\.\n$/),
      ])
    })

    test('2: another audit, signed with the same keys', async () => {
      const { body: keys } = await service.operator('listAuditKeys', {})
      const call = (id: string) =>
        Promise.resolve({ body: id === 'listAuditKeys' ? keys : { signature: 'another' } })
      async function* entries() {
        yield* newer
      }
      await expect(verifyLostEvents(call as never, entries(), [], () => {})).rejects.toThrow(
        'they share no checkpoint',
      )
    })

    test('4: an export whose newest checkpoint was removed, with a log that names it', async () => {
      const { checkpoint } = newer.find((entry) => 'checkpoint' in entry)!
      const path = join(service.folder, 'kept.log')
      await writeFile(path, JSON.stringify({ checkpoint: checkpoint.checkpoint, root: checkpoint.root }))
      const before = await state()
      const { exitCode, stderr } = await service.replay(withoutNewest(), '--kept', path)
      expect([exitCode, stderr]).toEqual([4, expect.stringContaining('checkpoint_missing')])
      expect(await state()).toEqual(before)
    })
  })

  test('0: an export of two parts replays the same, wherever the backup ends', async () => {
    const numberOf = (entry: AuditEntry) => {
      if ('checkpoint' in entry) return entry.checkpoint.checkpoint
      return 'event' in entry ? (entry.event.seal?.checkpoint ?? Infinity) : 0
    }
    const newest = Math.max(...newer.map(numberOf).filter(Number.isFinite))
    const ofBackup = Math.max(...older.map(numberOf).filter(Number.isFinite))
    for (const end of [1, ofBackup, newest - 1]) {
      const first = newer.filter((entry) => numberOf(entry) <= end)
      const second = newer.filter((entry) => 'key' in entry || numberOf(entry) > end)
      // No checkpoint of the first part seals what came after its last one.
      const unsealed = second.flatMap((entry) =>
        'event' in entry ? [{ event: { ...entry.event, seal: null } }] : [],
      )
      await restore()
      const outcome = await service.replay([...unsealed, ...first, ...second])
      expect([outcome.exitCode, linesOf(outcome).at(-1)]).toEqual([0, expect.stringMatching('^applied: 8, ')])
    }
  })

  /** The events under the newest checkpoint stay. */
  const withoutNewest = () =>
    newer.toSpliced(
      newer.findIndex((entry) => 'checkpoint' in entry),
      1,
    )

  test('1: what no checkpoint of the export seals is reported, and not applied', async () => {
    const { event: forged } = structuredClone(
      newer.find((entry) => 'event' in entry && entry.event.kind === 'citizen.erased'),
    ) as { event: { detail: string; seal: null } }
    const { detail: frozen } = (
      newer.find((entry) => 'event' in entry && entry.event.kind === 'preferences.changed') as {
        event: { detail: string }
      }
    ).event
    Object.assign(forged, { detail: frozen.slice(0, 36), seal: null })
    const narrowed = { ...forged, kind: 'partner.changed', partner_code: 'SHOP', detail: 'scopes' }
    const outcome = await service.replay([...newer, { event: forged }, { event: narrowed }])
    expect(outcome.exitCode).toBe(1)
    expect(outcome.stdout).toMatch(/\nto do: check scopes of SHOP: changed at .* \(not sealed\)\n/)
    expect(outcome.stdout).toContain('The restore is not complete: decide on each change')
    expect(linesOf(outcome)).toContainEqual(
      `NOT APPLIED        citizen.erased         ${forged.detail} ` +
        '(no checkpoint of the export seals it; if it is true, use "tiwala restore-replay")',
    )
    expect(outcome.stdout).toContain('applied: 8, ')
    expect(await preferencesOf(subjects.frozen)).toMatchObject({ frozen: true })

    await restore()
    const { exitCode, stdout } = await service.replay(withoutNewest(), '--json')
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { changes: expect.anything() }])
    expect(await preferencesOf(subjects.erased)).toEqual(BACKUP)
  })

  test('1, 2: what the export has without a seal after its last checkpoint, unless the database has it', async () => {
    const unsealed = newer.flatMap((entry) =>
      'event' in entry && entry.event.kind === 'citizen.erased'
        ? [{ event: { ...entry.event, seal: null } }]
        : [],
    )
    const outcome = await service.replay([...older, ...unsealed])
    expect([outcome.exitCode, linesOf(outcome)[0]]).toEqual([
      1,
      expect.stringMatching(/^NOT APPLIED +citizen\.erased +[\w-]{36} \(no checkpoint/),
    ])

    await restore()
    await service.run('partner', 'suspend', subjects.shop.code, '--reason', 'Ticket 1', '--yes')
    const query = { kind: 'partner.suspended', limit: 1 } as const
    const { events } = (await service.operator('listAuditEvents', { query })).body
    const { exitCode, stderr } = await service.replay([...older, { event: { ...events[0]!, seal: null } }])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('has nothing that this database lacks')])
  })

  test('1: an entry of an older version, which names nothing, is reported', async () => {
    const row = { kind: 'preferences.changed', request_id: 'req_old', detail: 'frozen, blocked 2' }
    await service.db.withTables<{ audit_event: typeof row }>().insertInto('audit_event').values(row).execute()
    const entries = await service.exportAudit()
    await restore()
    const { exitCode, stdout } = await service.replay(entries)
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(
        /^NOT APPLIED +preferences.changed +frozen, blocked 2 \(its entry does not say enough: detail\)$/m,
      ),
    ])
  })

  test('2: --kept without --replay', async () => {
    const { exitCode, stderr } = await service.run('restore-complete', '--yes', '--kept', 'tiwala.log')
    expect([exitCode, stderr]).toEqual([2, '--kept: give --replay as well.\n'])
  })
})
