// Of two records of one citizen and one partner, each act changes or shows the one that it names. A partner
// without a callback URL gets no event about any of it.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
const { asCitizen, asPartner, send } = api

const setCallbackUrl = (url: string | null) =>
  sql`update partner set callback_url = ${url}`.execute(service.db)
await setCallbackUrl(null)

async function stateOf(trackingNo: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select state from authorization_record where tracking_no = ${trackingNo}`.execute(service.db)
  return rows[0]!.state
}

const answer = (id: 'acceptAuthorization' | 'declineAuthorization' | 'revokeAuthorization') => (no: string) =>
  send(id, { headers: asCitizen, path: { tracking_no: no } })
const accept = answer('acceptAuthorization')
const revoke = answer('revokeAuthorization')
const cancel = (no: string) => send('cancelAuthorization', { headers: asPartner, path: { tracking_no: no } })

let records: [string, string]
const events = async () => (await service.countRows('callback_event'))[0]!
let eventsBefore: number
beforeEach(async () => {
  await sql`update authorization_record set state = 'CANCELLED' where state = 'PENDING'`.execute(service.db)
  records = [await api.createPendingRecord(), await api.createPendingRecord()]
  eventsBefore = await events()
})

describe('of two pending records', () => {
  test.each([
    { act: 'accept', send: accept, state: 'ACCEPTED' },
    { act: 'decline', send: answer('declineAuthorization'), state: 'DECLINED' },
    { act: 'cancel', send: cancel, state: 'CANCELLED' },
  ])('$act changes one, and makes no event', async ({ send: act, state }) => {
    const [first, second] = records
    expect((await act(second)).ok).toBe(true)
    expect([await stateOf(first), await stateOf(second)]).toEqual(['PENDING', state])
    expect((await act(first)).ok).toBe(true)
    expect(await stateOf(first)).toBe(state)
    expect(await events()).toBe(eventsBefore)
  })

  test('revoke changes one of two accepted ones, and makes no event', async () => {
    const [first, second] = records
    for (const trackingNo of records) expect((await accept(trackingNo)).ok).toBe(true)
    expect((await revoke(second)).ok).toBe(true)
    expect([await stateOf(first), await stateOf(second)]).toEqual(['ACCEPTED', 'REVOKED'])
    expect(await events()).toBe(eventsBefore)
  })

  test('the partner and the citizen read the one that they name', async () => {
    const [first, second] = records
    await accept(second)
    const inquire = async (no: string) =>
      ((await (await api.inquire(no)).json()) as { data: { tracking_no: string; is_accepted: 1 | null } })
        .data
    const read = async (no: string) =>
      (await send('readAuthorization', { headers: asCitizen, path: { tracking_no: no } })).json()
    expect([await inquire(first), await inquire(second)]).toMatchObject([
      { tracking_no: first, is_accepted: null },
      { tracking_no: second, is_accepted: 1 },
    ])
    expect([await read(first), await read(second)]).toMatchObject([
      { tracking_no: first, state: 'PENDING' },
      { tracking_no: second, state: 'ACCEPTED' },
    ])
  })

  test('they expire without an event', async () => {
    await service.advance(301)
    await expect.poll(async () => Promise.all(records.map(stateOf))).toEqual(['EXPIRED', 'EXPIRED'])
    expect(await events()).toBe(eventsBefore)
  })
})

test('a profile by QR value and a sign-in make one event with a callback URL, and none without', async () => {
  const useBoth = async () => {
    expect((await api.viewByQr(await api.issueQrValue('share'))).ok).toBe(true)
    expect((await api.signIn(await api.issueAccessToken())).ok).toBe(true)
  }
  await useBoth()
  expect(await events()).toBe(eventsBefore)
  await setCallbackUrl('https://partner.example/events')
  await useBoth()
  expect(await events()).toBe(eventsBefore + 2)
})
