import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { addKeys } from '../kit/add-keys.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const erase = (uniqid: string) => service.operator('eraseCitizen', { path: { uniqid } })
const read = (uniqid: string) => service.operator('readErasure', { path: { uniqid } })

describe('readErasure', () => {
  test('200: the receipt of the erasure', async () => {
    const citizen = await service.citizen()
    const { body } = await erase(citizen.uniqid)
    expect((await read(citizen.uniqid)).body).toEqual(body)
    expect(await service.dumpDatabase()).not.toContain(citizen.uniqid)
  })

  test('200: of a citizen who was written and erased again, the newest receipt', async () => {
    const citizen = await service.citizen()
    const first = await erase(citizen.uniqid)
    await service.operator('upsertCitizen', {
      path: { uniqid: citizen.uniqid },
      body: { profile: citizen.profile, passport: null },
    })
    expect((await read(citizen.uniqid)).body).toEqual(first.body)
    const second = await erase(citizen.uniqid)
    expect(second.body.subject).not.toBe(first.body.subject)
    expect((await read(citizen.uniqid)).body).toEqual(second.body)
  })

  test('404: a citizen who is not erased, and an unknown one', async () => {
    const citizen = await service.citizen()
    for (const uniqid of [citizen.uniqid, 'UNKNOWN'])
      expect((await refusal(read(uniqid))).code).toBe('not_found')
  })

  test('200: after a rotation of the pepper and the audit key, the same claims', async () => {
    const citizen = await service.citizen()
    const first = (await erase(citizen.uniqid)).body
    await addKeys(service, 'pepper', 'audit')
    const again = (await read(citizen.uniqid)).body
    const { keys } = (await service.operator('listAuditKeys', {})).body
    const { payload } = await jwtVerify(again.receipt, createLocalJWKSet({ keys }))
    expect(payload).toEqual(decodeJwt(first.receipt))
  })
})
