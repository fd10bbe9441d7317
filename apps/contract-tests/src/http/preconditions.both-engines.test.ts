// `ETag` and `If-Match` (RFC 9110, section 13.1.1) of what can be read and then changed.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})

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

async function partner(): Promise<Resource> {
  const { code } = await service.partner()
  const path = { partner_code: code }
  const headers = { Authorization: `Bearer ${service.operatorToken}` }
  return {
    read: () => service.send('readPartner', { path, headers }),
    change: (value, ifMatch) =>
      service.send('changePartner', {
        path,
        headers: { ...headers, ...JSON_TYPE, ...ifMatchOf(ifMatch) },
        body: JSON.stringify({ limits: { per_day: value } }),
      }),
    touch: () => service.operator('suspendPartner', { path }),
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

describe.each([
  ['changePartner', partner],
  ['replacePreferences', preferences],
])('%s', (_id, create) => {
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
