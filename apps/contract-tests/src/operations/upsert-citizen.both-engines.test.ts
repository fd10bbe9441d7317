import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

describe('upsertCitizen', () => {
  test('200: the citizen is replaced, and the next profile shows the change', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const profile = { ...citizen.profile, last_name: 'Peñaflor' }
    const { body } = await service.operator('upsertCitizen', {
      path: { uniqid: citizen.uniqid },
      body: { profile, passport: null },
    })
    expect(body).toEqual({ uniqid: citizen.uniqid, created: false })
    expect(
      (await partner.profiles.profileByQr(await citizen.showQr('share'))).record.response.last_name,
    ).toBe('Peñaflor')
  })

  test('422: the error names each invalid field, and nothing is written', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const profile = {
      ...citizen.profile,
      birth_date: '17/04/1990',
      gender: 'Female',
      mobile: '0917',
      postal: 'X',
    }
    const { fields } = await refusal(
      service.operator('upsertCitizen', {
        path: { uniqid: citizen.uniqid },
        body: { profile, passport: null },
      }),
    )
    expect(Object.keys(fields).toSorted()).toEqual([
      'profile.birth_date',
      'profile.gender',
      'profile.mobile',
      'profile.postal',
    ])
    expect((await partner.profiles.profileByQr(await citizen.showQr('share'))).record.response.mobile).toBe(
      citizen.profile.mobile,
    )
  })

  test('422: the uniqid of the body differs from that of the path', async () => {
    const { profile } = await service.citizen()
    const { fields } = await refusal(
      service.operator('upsertCitizen', { path: { uniqid: 'ANOTHER' }, body: { profile, passport: null } }),
    )
    expect(fields).toHaveProperty(['profile.uniqid'])
  })
})
