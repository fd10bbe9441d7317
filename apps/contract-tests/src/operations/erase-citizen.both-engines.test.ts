import { createLocalJWKSet, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const erase = (uniqid: string) => service.operator('eraseCitizen', { path: { uniqid } })

describe('eraseCitizen', () => {
  test('200: no operation returns data of the citizen; their QR values, codes and tokens end', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    const { record: viewed } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    const before = {
      asking: await citizen.showQr(),
      sharing: await citizen.showQr('share'),
      code: await citizen.exchangeCode(partner.code),
    }
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    await erase(citizen.uniqid)
    for (const { tracking_no } of [record, viewed])
      expect((await refusal(partner.profiles.inquire(tracking_no))).code).toBe('result_expired')
    expect((await refusal(partner.profiles.requestAuthorization(before.asking))).code).toBe(
      'qr_value_invalid',
    )
    expect((await refusal(partner.profiles.profileByQr(before.sharing))).code).toBe('qr_value_invalid')
    expect((await refusal(partner.sso.generateToken(before.code))).code).toBe('exchange_code_invalid')
    expect((await refusal(partner.sso.authenticate(token))).code).toBe('token_invalid')
    expect((await refusal(citizen.app('issueQrCode', { body: { purpose: 'inquire' } }))).code).toBe(
      'not_found',
    )
    expect((await citizen.app('listAuthorizations', {})).body.authorizations).toEqual([])
  })

  test('200: nothing is left that could decrypt the data of the citizen', async () => {
    const citizen = await service.citizen()
    const { subject } = (await erase(citizen.uniqid)).body
    const { rows } = await sql`
      select data_key, uniqid, profile, passport from citizen where subject = ${subject}`.execute(service.db)
    expect(rows).toEqual([{ data_key: null, uniqid: null, profile: null, passport: null }])
  })

  test('200: a record without a disclosure no longer names the citizen', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    await citizen.decline(trackingNo)
    expect((await partner.profiles.inquire(trackingNo)).record.pcn).toBe(citizen.uniqid)
    await erase(citizen.uniqid)
    expect((await partner.profiles.inquire(trackingNo)).record).toMatchObject({ is_accepted: 0, pcn: '-' })
  })

  test('200: the public keys verify the receipt; it names the request and not the citizen', async () => {
    const citizen = await service.citizen()
    const { body, headers } = await erase(citizen.uniqid)
    const { keys } = (await service.operator('listAuditKeys', {})).body
    const { payload, protectedHeader } = await jwtVerify(body.receipt, createLocalJWKSet({ keys }), {
      typ: 'tiwala-receipt+jwt',
    })
    expect(keys.map(({ kid }) => kid)).toContain(protectedHeader.kid)
    expect(payload).toMatchObject({
      event: 'citizen.erased',
      sub: body.subject,
      jti: headers.get('x-request-id'),
    })
    expect(JSON.stringify([body, payload])).not.toContain(citizen.uniqid)
  })

  test('200: an erased identifier that is written again is a new citizen', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.decline(record.tracking_no)
    await erase(citizen.uniqid)
    const { body } = await service.operator('upsertCitizen', {
      path: { uniqid: citizen.uniqid },
      body: { profile: citizen.profile, passport: null },
    })
    expect(body.created).toBe(true)
    expect((await citizen.app('listAuthorizations', {})).body.authorizations).toEqual([])
    expect((await partner.profiles.profileByQr(await citizen.showQr('share'))).record.response.uniqid).toBe(
      citizen.uniqid,
    )
  })

  test('200: a second erasure changes nothing, and returns the receipt of the first', async () => {
    const citizen = await service.citizen()
    const first = await erase(citizen.uniqid)
    const audited = await service.countRows('audit_event')
    expect((await erase(citizen.uniqid)).body).toEqual(first.body)
    expect(await service.countRows('audit_event')).toEqual(audited)
  })
})
