import type { Schemas } from '@tiwala/contract'
// Which data of a citizen the registry accepts: the same by upsertCitizen and by importCitizens.
import { exampleProfile } from '@tiwala/kit/users'
import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const PASSPORT: Schemas['Passport'] = {
  first_name: 'Maria',
  middle_name: '',
  last_name: 'Santos',
  suffix: '',
  gender: 'Female',
  birth_date: '04/17/1990',
  passport_number: 'P1234567A',
  place_issued: 'DFA Manila',
  expiry_date: '01/31/2030',
}

/** The fields that both operations refuse; none if both accept the citizen. */
async function refusedFields(
  change: Partial<Schemas['Profile']>,
  passport: Schemas['Passport'] | null = null,
): Promise<string[]> {
  const profile = { ...exampleProfile('DATA-1'), ...change }
  const body = { profile, passport }
  const { body: report } = await service.operator('importCitizens', { body: JSON.stringify(body) })
  const byImport = Object.keys(report.errors[0]?.errors ?? {})
  const upserted = service.operator('upsertCitizen', { path: { uniqid: profile.uniqid }, body })
  const byUpsert = byImport.length ? Object.keys((await refusal(upserted)).fields) : []
  await upserted.catch(() => {})
  expect(byUpsert.filter((field) => field !== 'uniqid')).toEqual(byImport)
  return byImport
}

describe('an identifier', () => {
  test.each(['1', 'CTZ-DATA-1', 'a.b_c:d@e|f+g=h', 'x'.repeat(64)])('%s is accepted', async (uniqid) => {
    expect(await refusedFields({ uniqid })).toEqual([])
    const headers = { Authorization: `Bearer ${await service.tokens.citizen(uniqid)}` }
    expect((await service.send('readPreferences', { headers })).status).toBe(200)
    expect((await service.operator('eraseCitizen', { path: { uniqid } })).body.subject).toBeDefined()
  })

  test('the last part of another path is refused', async () => {
    const body = JSON.stringify({ profile: exampleProfile('import'), passport: null })
    const { body: report } = await service.operator('importCitizens', { body })
    expect(report.errors[0]?.errors).toEqual({ 'profile.uniqid': [expect.stringContaining('import')] })
  })

  test.each([
    ['.hidden', '.hidden'],
    ['with a slash', 'a/b'],
    ['with a space', 'a b'],
    ['with a line feed', 'a\n'],
    ['with a letter beyond ASCII', 'Peñaflor'],
    ['with the same letter in its other form', 'Pen\u0303aflor'],
    ['with a lone surrogate', 'a\ud800'],
    ['too long', 'x'.repeat(65)],
  ])('%s is refused, also in a token', async (_title, uniqid) => {
    const { body: report } = await service.operator('importCitizens', {
      body: JSON.stringify({ profile: exampleProfile(uniqid), passport: null }),
    })
    expect(report).toMatchObject({
      created: 0,
      errors: [{ errors: { 'profile.uniqid': expect.any(Array) } }],
    })
    const headers = { Authorization: `Bearer ${await service.tokens.citizen(uniqid)}` }
    const response = await service.send('readPreferences', { headers })
    expect(await response.json()).toMatchObject({ error: 'token_invalid' })
  })
})

describe('a date', () => {
  const tomorrow = new Date(Date.now() + 86_400_000)
  const years = (count: number) => tomorrow.getUTCFullYear() + count
  const iso = (date: Date) => date.toISOString().slice(0, 10)
  test.each(['1990-04-17', '2000-02-29', '1850-01-01', '1990-01-01', iso(tomorrow)])(
    'of birth %s is accepted',
    async (birth_date) => {
      expect(await refusedFields({ birth_date })).toEqual([])
    },
  )

  test.each([
    '1900-02-29',
    '1990-02-30',
    '1990-04-31',
    '1990-13-01',
    '1990-00-00',
    '1990-01-00',
    '0000-01-01',
    '1849-12-31',
    '2999-01-01',
    iso(new Date(tomorrow.getTime() + 86_400_000)),
  ])('of birth %s is refused', async (birth_date) => {
    expect(await refusedFields({ birth_date })).toEqual(['profile.birth_date'])
  })

  test.each(['', '01/31/2030', `12/31/${years(49)}`, '02/29/2028'])(
    'of expiry "%s" is accepted',
    async (expiry_date) => {
      expect(await refusedFields({}, { ...PASSPORT, expiry_date })).toEqual([])
    },
  )

  test.each(['31/01/2030', '02/29/2030', '00/10/2030', '01/01/1949', `01/01/${years(52)}`, '12/31/9999'])(
    'of expiry %s is refused',
    async (expiry_date) => {
      expect(await refusedFields({}, { ...PASSPORT, expiry_date })).toEqual(['passport.expiry_date'])
    },
  )

  test('of birth in a passport is one that exists', async () => {
    expect(await refusedFields({}, { ...PASSPORT, birth_date: '' })).toEqual([])
    expect(await refusedFields({}, { ...PASSPORT, birth_date: '02/30/1990' })).toEqual([
      'passport.birth_date',
    ])
    expect(await refusedFields({}, { ...PASSPORT, birth_date: '01/01/2999' })).toEqual([
      'passport.birth_date',
    ])
  })
})

describe('a text', () => {
  const texts = Object.entries(exampleProfile('X')).flatMap(([field, value]) =>
    typeof value === 'string' && !/_code$|^(uniqid|birth_date|gender|photo|mobile|postal)$/.test(field)
      ? [field]
      : [],
  )
  test.each([...texts, 'middle_name', 'suffix', 'foreign_address'])(
    '%s holds no hidden character',
    async (field) => {
      for (const text of [
        'Mar\u0000ia',
        'Mar\u202eia',
        'Mar\ud800ia',
        'Mar\u200bia',
        'Mar\nia',
        'Mar\u2028ia',
      ])
        expect([text, await refusedFields({ [field]: text })]).toEqual([text, [`profile.${field}`]])
      expect(await refusedFields({ [field]: "Ma. Peñaflor-D'Souza 𠮷野 O’Neil №7" })).toEqual([])
    },
  )

  test.each([
    'first_name',
    'middle_name',
    'last_name',
    'suffix',
    'gender',
    'passport_number',
    'place_issued',
  ])('of a passport, %s holds no hidden character', async (field) => {
    expect(await refusedFields({}, { ...PASSPORT, [field]: 'a\u202e' })).toEqual([`passport.${field}`])
  })

  test('that is not known is empty', async () => {
    const unknown = Object.fromEntries([...texts, 'mobile', 'photo', 'gender'].map((field) => [field, '']))
    expect(await refusedFields(unknown)).toEqual([])
    const [partner, citizen] = [await service.partner(), await service.citizen(unknown)]
    const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    expect(record.response).toMatchObject(unknown)
    const signedIn = await partner.sso.signIn(await citizen.exchangeCode(partner.code))
    expect(signedIn).toMatchObject({ ...unknown, birth_date: '04/17/1990' })
  })
})

describe('the photo', () => {
  test.each(['https://registry.gov.ph/photos/1.jpg', 'https://8.8.8.8/1.jpg', 'http://localhost:8080/1.svg'])(
    '%s is accepted in the sandbox',
    async (photo) => {
      expect(await refusedFields({ photo })).toEqual([])
    },
  )

  test.each([
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    '//registry.gov.ph/1.jpg',
    'http://registry.gov.ph/1.jpg',
    'https://169.254.169.254/latest',
    'https://10.0.0.1/1.jpg',
    'https://[fe80::1]/1.jpg',
    'https://0xa.1/1.jpg',
    'https://user:secret@registry.gov.ph/1.jpg',
    'https://registry.gov.ph/a b.jpg',
    String.raw`https://registry.gov.ph\@169.254.169.254/1.jpg`,
    'https://registry.gov.ph/1.jpg"onerror=alert(1)',
    'https://registry.gov.ph/<1>.jpg',
    'https://регистр.example/1.jpg',
  ])('%s is refused', async (photo) => {
    expect(await refusedFields({ photo })).toEqual(['profile.photo'])
  })
})
