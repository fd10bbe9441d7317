// `ETag` and `If-Match` (RFC 9110, section 13.1.1) of what can be read and then changed.
import type { OperationId } from '@tiwala/contract'
import { OPERATION_IDS } from '@tiwala/kit/operations'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { parametersOf } from '../contract-check/documents.ts'
import { errorBody } from '../kit/error-body.ts'
import { register, registration } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({ TIWALA_SECOND_PERSON: 'none' })

/** Something that can be read and changed. `touch` changes it in another way than `change`, if there is one. */
type Resource = {
  read(): Promise<Response>
  change(value: number, ifMatch?: string): Promise<Response>
  touch(): Promise<unknown>
  audited(): Promise<number>
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const ifMatchOf = (value: string | undefined) => ({ ...(value !== undefined && { 'If-Match': value }) })
async function countAudit(kind: string): Promise<number> {
  return (await sql`select from audit_event where kind = ${kind}`.execute(service.db)).rows.length
}

/** What an administrator reads and changes of a partner that is registered for sign-in. */
const ofPartner =
  (
    readId: OperationId,
    changeId: OperationId,
    bodyOf: (value: number) => object,
    touch: (path: { partner_code: string }) => Promise<unknown>,
  ) =>
  async (): Promise<Resource> => {
    const { code } = await service.partner()
    await register(service.operator, code)
    const path = { partner_code: code }
    const headers = { Authorization: `Bearer ${service.operatorToken}` }
    return {
      read: () => service.send(readId, { path, headers }),
      change: (value, ifMatch) =>
        service.send(changeId, {
          path,
          headers: { ...headers, ...JSON_TYPE, ...ifMatchOf(ifMatch) },
          body: JSON.stringify(bodyOf(value)),
        }),
      touch: () => touch(path),
      audited: () => countAudit('partner.changed'),
    }
  }

const suspend = (path: { partner_code: string }) => service.operator('suspendPartner', { path })
const redirectTo = (name: string | number) => ({ redirect_uris: [`https://${name}.example/`] })
const partner = ofPartner(
  'readPartner',
  'changePartner',
  (value) => ({ limits: { per_day: value } }),
  suspend,
)
const callback = ofPartner(
  'readPartner',
  'setCallback',
  (value) => ({ callback_url: `https://${value}.example/` }),
  suspend,
)
const signIn = ofPartner(
  'readSignInRegistration',
  'setSignInRegistration',
  (value) => registration(redirectTo(value)),
  ({ partner_code }) => register(service.operator, partner_code, redirectTo('other')),
)

async function settings(): Promise<Resource> {
  const { code } = await service.partner()
  const path = { partner_code: code }
  const { headers } = await service.signIn(code)
  return {
    read: () => service.send('readSettings', { headers }),
    change: (value, ifMatch) =>
      service.send('changeSettings', {
        headers: { ...headers, ...JSON_TYPE, ...ifMatchOf(ifMatch) },
        body: JSON.stringify({ callback_url: `https://${value}.example/` }),
      }),
    touch: () => service.operator('setCallback', { path, body: { callback_url: 'https://other.example/' } }),
    audited: () => countAudit('partner.changed'),
  }
}

async function preferences(): Promise<Resource> {
  const [{ token, setPreferences }, one, other] = [
    await service.citizen(),
    await service.partner(),
    await service.partner(),
  ]
  const headers = { Authorization: `Bearer ${token}` }
  return {
    read: () => service.send('readPreferences', { headers }),
    change: (value, ifMatch) =>
      service.send('replacePreferences', {
        headers: { ...headers, ...JSON_TYPE, ...ifMatchOf(ifMatch) },
        body: JSON.stringify({ frozen: false, blocked_partners: [[one, other][value % 2]!.code] }),
      }),
    touch: () => setPreferences({ frozen: true, blocked_partners: [] }),
    audited: () => countAudit('preferences.changed'),
  }
}

const etagOf = (response: Response) => response.headers.get('etag')!
const STALE = '"00000000000000000000000000000000"'

/** Each operation of the documents that takes `If-Match`. */
const RESOURCES: Partial<Record<OperationId, () => Promise<Resource>>> = {
  changePartner: partner,
  setCallback: callback,
  setSignInRegistration: signIn,
  changeSettings: settings,
  replacePreferences: preferences,
}
const CONDITIONAL = OPERATION_IDS.filter((id) =>
  parametersOf(id).some(({ value }) => value['name'] === 'If-Match'),
)

describe.each(CONDITIONAL.map((id) => [id, RESOURCES[id]!] as const))('%s', (_id, create) => {
  test('200: with the ETag that was read, and with that of the response to the change', async () => {
    const { read, change } = await create()
    const first = etagOf(await read())
    const changed = await change(1, first)
    expect(changed.status).toBe(200)
    expect(etagOf(changed)).not.toBe(first)
    expect(etagOf(await read())).toBe(etagOf(changed))
    expect((await change(2, etagOf(changed))).status).toBe(200)
  })

  test('412: with an ETag from before another change, which nothing is changed by', async () => {
    const { read, change, touch, audited } = await create()
    const first = etagOf(await read())
    await touch()
    const [before, count] = [await (await read()).json(), await audited()]
    expect(await errorBody(await change(1, first))).toMatchObject({
      status: 412,
      error: 'precondition_failed',
    })
    expect([await (await read()).json(), await audited()]).toEqual([before, count])
  })

  test('200: of parallel changes with one ETag, one is made', async () => {
    const { read, change } = await create()
    const first = etagOf(await read())
    const responses = await Promise.all([1, 2, 3, 4].map((value) => change(value, first)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('200: without If-Match the last change counts', async () => {
    const { change } = await create()
    expect([(await change(1)).status, (await change(2)).status]).toEqual([200, 200])
  })

  test('200: a request that changes nothing keeps the ETag', async () => {
    const { read, change } = await create()
    const etag = etagOf(await change(1))
    expect([etagOf(await change(1, etag)), etagOf(await read())]).toEqual([etag, etag])
  })

  test.each<[number, string, (etag: string) => string]>([
    [200, '*', () => '*'],
    [200, 'a list with the ETag', (etag) => `${STALE},W/"x" , ${etag}`],
    [412, 'a list without it', () => `${STALE}, "x,y"`],
    [412, 'a weak tag', (etag) => `W/${etag}`],
    [412, 'a tag without quotes', (etag) => etag.slice(1, -1)],
  ])('%i: %s', async (status, _what, ifMatch) => {
    const { read, change } = await create()
    const response = await change(1, ifMatch(etagOf(await read())))
    expect(response.status).toBe(status)
  })
})

test('two partners, and two citizens, have different ETags', async () => {
  for (const create of [partner, preferences]) {
    const responses = [await (await create()).read(), await (await create()).read()]
    expect(new Set(responses.map(etagOf)).size).toBe(2)
  }
})

test('404 and 422 come before 412', async () => {
  const { change } = await partner()
  expect((await change(0, STALE)).status).toBe(422)
  const unknown = await service.send('changePartner', {
    path: { partner_code: 'UNKNOWN' },
    headers: { Authorization: `Bearer ${service.operatorToken}`, ...JSON_TYPE, 'If-Match': STALE },
    body: JSON.stringify({ name: 'Unknown' }),
  })
  expect(unknown.status).toBe(404)
  const citizen = await service.send('replacePreferences', {
    headers: { ...(await service.unknownCitizenHeaders()), ...JSON_TYPE, 'If-Match': STALE },
    body: JSON.stringify({ frozen: true, blocked_partners: [] }),
  })
  expect(citizen.status).toBe(404)
})

test('412: any If-Match for a partner that is not registered for sign-in; 404 for no partner', async () => {
  const { code } = await service.partner()
  const headers = { Authorization: `Bearer ${service.operatorToken}`, ...JSON_TYPE }
  const put = async (partner_code: string, ifMatch?: string) => {
    const response = await service.send('setSignInRegistration', {
      path: { partner_code },
      headers: { ...headers, ...ifMatchOf(ifMatch) },
      body: JSON.stringify(registration()),
    })
    return response.status
  }
  expect([await put(code, '*'), await put(code, STALE)]).toEqual([412, 412])
  expect([await put('UNKNOWN', STALE), await put(code), await put(code, '*')]).toEqual([404, 200, 200])
})
