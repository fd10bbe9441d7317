import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

describe('the name and purpose of a partner', () => {
  const MISLEADING = {
    'a control character': 'Hotel\u0007 Mabuhay',
    'a line feed': 'Hotel\nMabuhay',
    delete: 'Hotel\u007f',
    'a C1 control': 'Hotel \u009b31m',
    'a bidirectional override': 'Hotel \u202eyauhbaM',
    'a bidirectional isolate': 'Hotel \u2067Mabuhay\u2069',
    'a direction mark': 'Hotel\u200f Mabuhay',
    'an Arabic letter mark': 'Hotel\u061c Mabuhay',
    'a zero width space': 'Ho\u200btel',
    'a word joiner': 'Ho\u2060tel',
    'a byte order mark': '\ufeffHotel',
    'a line separator': 'Hotel\u2028Mabuhay',
    'a paragraph separator': 'Hotel\u2029Mabuhay',
    'a tag': 'Hotel\u{e0041}',
    'an invisible letter': 'Hotel\u3164',
    'a blank pattern': '\u2800',
    'half a surrogate pair': 'Hotel \ud83c',
    'a space in front': ' Hotel',
    'a space at the end': 'Hotel ',
    'a no-break space at the end': 'Hotel\u00a0',
    'spaces only': '   ',
    nothing: '',
  }

  test.each(Object.entries(MISLEADING))(
    '422: %s is refused in name and purpose, at creation and change',
    async (_what, text) => {
      for (const field of ['name', 'purpose']) {
        const { fields } = await refusal(service.partner({ [field]: text }))
        expect(fields[field]).toContain(
          'must hold no control or invisible characters, and no space at either end',
        )
        const change = service.operator('changePartner', {
          path: { partner_code: 'UNKNOWN' },
          body: { [field]: text },
        })
        expect((await refusal(change)).fields).toHaveProperty([field])
      }
    },
  )

  test('422: letters of several scripts, in name and purpose, at creation and change', async () => {
    for (const field of ['name', 'purpose']) {
      const text = 'Hotel Mаbuhay' // The first "a" is Cyrillic.
      const { fields } = await refusal(service.partner({ [field]: text }))
      expect(fields).toEqual({ [field]: ['has letters of several scripts, which can look alike'] })
      const { code } = await service.partner()
      const change = service.operator('changePartner', {
        path: { partner_code: code },
        body: { [field]: text },
      })
      expect((await refusal(change)).fields).toHaveProperty([field])
    }
  })

  test('200: a name like that of another partner is reported, at creation, change and resumption', async () => {
    const first = await service.partner({ name: 'Lakbay Inn' })
    const create = async (partner_code: string, name: string) => {
      const body = { partner_code, name, purpose: 'To test.', scopes: [] }
      return (await service.operator('createPartner', { body })).body.partner.similar_partners
    }
    const code = `SIMILAR_${first.code}`.slice(0, 32)
    expect(await create(code, 'LAKBAY-lNN')).toEqual([first.code])
    const change = async (name: string) =>
      (await service.operator('changePartner', { path: { partner_code: code }, body: { name } })).body
        .similar_partners
    expect(await change('Another Lodge of Lakbay')).toBeUndefined()
    expect(await change('Lakbay Inn')).toEqual([first.code])
    // A suspended partner can be resumed, so its name counts, too.
    await service.operator('suspendPartner', { path: { partner_code: first.code } })
    expect(await change('Lakbay Inn')).toEqual([first.code])
    const { body } = await service.operator('resumePartner', { path: { partner_code: first.code } })
    expect(body).toMatchObject({ similar_partners: [code] })
  })

  test('201: any script, punctuation and symbols are allowed', async () => {
    for (const name of [
      "Niño & Sons' Hotel, Inc. (Cebú)",
      'فندق مبوحاي',
      '마부하이 호텔',
      'マブハイ ホテル',
      'होटल',
      'Hotel 🏨',
      'H',
      '7',
    ])
      expect((await (await service.partner({ name, purpose: name })).read()).name).toBe(name)
  })
})
