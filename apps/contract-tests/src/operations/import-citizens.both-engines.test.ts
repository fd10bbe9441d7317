import { exampleProfile } from '@tiwala/kit/users'
import { describe, expect, test } from 'vitest'
import { addKeys } from '../kit/add-keys.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

let count = 0
const newCitizen = (change: object = {}) => ({
  profile: { ...exampleProfile(`LINE-${++count}`), ...change },
  passport: null,
})
const fileOf = (...lines: unknown[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
const load = async (...lines: unknown[]) =>
  (await service.operator('importCitizens', { body: fileOf(...lines) })).body
const NOTHING_WRONG = { rejected: 0, errors: [] }

/** The profile that a partner gets from profileByQr. */
async function givenOf(uniqid: string) {
  const [partner, token] = [await service.partner(), await service.tokens.citizen(uniqid)]
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const shown = await service.send('issueQrCode', { headers, body: JSON.stringify({ purpose: 'share' }) })
  const { qr_value } = (await shown.json()) as { qr_value: string }
  return (await partner.profiles.profileByQr(qr_value)).record.response
}

describe('importCitizens', () => {
  test('200: an unknown citizen is created; a known one is replaced and keeps the preferences', async () => {
    const [known, unknown] = [await service.citizen(), newCitizen()]
    await known.setPreferences({ frozen: true })
    const changed = { profile: { ...known.profile, last_name: 'Peñaflor' }, passport: null }
    expect(await load(changed, unknown)).toEqual({ created: 1, replaced: 1, ...NOTHING_WRONG })
    expect((await known.app('readPreferences', {})).body.frozen).toBe(true)
    await known.setPreferences({})
    expect((await givenOf(known.uniqid)).last_name).toBe('Peñaflor')
    expect((await givenOf(unknown.profile.uniqid)).first_name).toBe('Maria Clara')
  })

  test('200: a citizen of before a rotation of the pepper is replaced', async () => {
    const { profile, passport } = newCitizen()
    await load({ profile, passport })
    await addKeys(service, 'pepper')
    const later = { profile: { ...profile, last_name: 'Later' }, passport }
    expect(await load(later)).toEqual({ created: 0, replaced: 1, ...NOTHING_WRONG })
    expect((await givenOf(profile.uniqid)).last_name).toBe('Later')
  })

  test('200: valid lines are imported, invalid ones reported by number; blank lines count', async () => {
    const [first, second] = [newCitizen(), newCitizen()]
    const twice = { ...first, profile: { ...first.profile, last_name: 'Later' } }
    const wrong = newCitizen({ birth_date: '17/04/1990', country_id: 'x', extra: 1 })
    const long = newCitizen({ street: 'x'.repeat(66_000) })
    const { profile } = newCitizen()
    const text = [
      '',
      first,
      '{"profile":',
      '   \r',
      wrong,
      twice,
      long,
      { profile },
      '5',
      second,
      '{"profile":1,"profile":2}',
    ]
    const at = (line: number, ...fields: string[]) => ({
      line,
      errors: Object.fromEntries(fields.map((name) => [name, expect.arrayContaining([expect.any(String)])])),
    })
    expect(await load(...text)).toEqual({
      created: 2,
      replaced: 0,
      rejected: 7,
      errors: [
        { line: 3, errors: { line: ['is not JSON'] } },
        at(5, 'profile.birth_date', 'profile.country_id', 'profile.extra'),
        { line: 6, errors: { 'profile.uniqid': ['has the same uniqid as line 2'] } },
        { line: 7, errors: { line: ['is longer than 64 KiB'] } },
        { line: 8, errors: { passport: ['is required'] } },
        at(9, 'body'),
        { line: 11, errors: { line: ['has a field twice'] } },
      ],
    })
    expect((await givenOf(first.profile.uniqid)).last_name).toBe('Santos')
    expect((await givenOf(second.profile.uniqid)).last_name).toBe('Santos')
  })

  test('200: a line is validated in the same way as the body of upsertCitizen', async () => {
    const { profile } = newCitizen({ mobile: '0917', gender: 'Female', postal: 'X', photo: 'none' })
    const body = { profile, passport: null }
    const alone = await refusal(service.operator('upsertCitizen', { path: { uniqid: profile.uniqid }, body }))
    const { errors } = await load(body)
    expect(Object.keys(alone.fields)).toHaveLength(4)
    expect(errors).toEqual([{ line: 1, errors: alone.fields }])
  })

  test('200: a repeated import of two batches reports all citizens as known, without changes', async () => {
    const citizens = Array.from({ length: 450 }, () => newCitizen())
    const [before] = await service.countRows('citizen')
    expect(await load(...citizens)).toEqual({ created: 450, replaced: 0, ...NOTHING_WRONG })
    expect(await load(...citizens)).toEqual({ created: 0, replaced: 450, ...NOTHING_WRONG })
    expect(await service.countRows('citizen')).toEqual([before! + 450])
  })

  test('200: the same file imported twice at the same time creates each citizen once', async () => {
    const citizens = Array.from({ length: 250 }, () => newCitizen())
    const [before] = await service.countRows('citizen')
    const reports = await Promise.all([load(...citizens), load(...citizens.toReversed())])
    expect(reports.map(({ created, replaced }) => created + replaced)).toEqual([250, 250])
    expect(reports[0].created + reports[1].created).toBe(250)
    expect(await service.countRows('citizen')).toEqual([before! + 250])
  })

  test('200: every imported line has an audit row, and no citizen data is stored in clear', async () => {
    const citizens = [
      newCitizen({ last_name: 'Canary-Import' }),
      newCitizen({ last_name: 'Canary-Import' }),
      '{}',
    ]
    const { headers } = await service.operator('importCitizens', { body: fileOf(...citizens) })
    const requestId = headers.get('x-request-id')!
    expect(
      await service.countRows(
        `audit_event where kind = 'citizen.written' and actor is not null and request_id = '${requestId}'`,
      ),
    ).toEqual([2])
    expect(await service.dumpDatabase()).not.toContain('Canary-Import')
  })

  test('200: all invalid lines are counted, and the first thousand are reported', async () => {
    const { created, rejected, errors } = await load(
      ...Array.from({ length: 1_500 }, () => '{}'),
      newCitizen(),
    )
    expect([created, rejected, errors.length, errors.at(-1)!.line]).toEqual([1, 1_500, 1_000, 1_000])
  })
})
