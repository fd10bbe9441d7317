// `Idempotency-Key`: a client whose connection broke sends the request again, and gets the same secret.
import { randomUUID } from 'node:crypto'
import { type OperationId, routes } from '@tiwala/contract'
import { refsFrom, targetOf } from '@tiwala/contract/references'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { documentedStatuses, documents, parametersOf, responseOf } from '../contract-check/documents.ts'
import { createCredentialClient } from '../kit/credential-client.ts'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})
const credentials = createCredentialClient(service)

const OPERATIONS = ['createPartner', 'rotateCredential', 'rotateWebhookSecret'] as const
type Id = (typeof OPERATIONS)[number]
type Sent = { key?: string; token?: string; body?: object; reason?: string; code?: string }

const bodyFor = (id: Id, code: string): object =>
  id === 'createPartner'
    ? { partner_code: code, name: `Hotel ${code}`, purpose: 'To register you.', scopes: [] }
    : { grace_days: 7, ...(id === 'rotateCredential' && { kind: 'secret_token' }) }

let count = 0
/** A change, and a function that sends it with a key. */
async function change(id: Id) {
  const code = id === 'createPartner' ? `NEW_${++count}` : (await service.partner()).code
  const firstKey = randomUUID()
  const send = ({ key = firstKey, token, body, reason, code: other }: Sent = {}) =>
    service.send(id, {
      ...(id !== 'createPartner' && { path: { partner_code: other ?? code } }),
      ...(reason && { query: `reason=${reason}` }),
      headers: {
        Authorization: `Bearer ${token ?? service.operatorToken}`,
        'Content-Type': 'application/json',
        ...(key && { 'Idempotency-Key': key }),
      },
      body: JSON.stringify(body ?? bodyFor(id, code)),
    })
  const audited = async () =>
    (
      await sql`
        select from audit_event e join partner p on p.id = e.partner_id
         where p.partner_code = ${code} and e.kind in ('partner.created', 'credential.rotated', 'webhook_secret.rotated')
           and (e.kind = 'partner.created') = ${id === 'createPartner'}`.execute(service.db)
    ).rows.length
  return { code, key: firstKey, send, audited }
}

const read = async (response: Response) => [response.status, await response.json()] as [number, unknown]

/** Whether a success, with all that it refers to, has the pattern or an example of a secret. */
const showsSecret = (id: OperationId) =>
  documentedStatuses(id)
    .filter((status) => status < 300)
    .some((status) => {
      const { document, value } = responseOf(id, status)!
      const parts = [...refsFrom(documents[document], value)].map((ref) => targetOf(documents[document], ref))
      return /tw[ts]_|whsec_/.test(JSON.stringify([value, ...parts]))
    })

test('every operation that shows a secret once takes an Idempotency-Key, and no other one', () => {
  const all = Object.keys({ ...routes.operator, ...routes.workbench }) as OperationId[]
  const taking = all.filter((id) => parametersOf(id).some(({ value }) => value['name'] === 'Idempotency-Key'))
  expect(taking).toEqual(all.filter(showsSecret))
  expect(taking.filter((id) => id in routes.operator).toSorted()).toEqual([...OPERATIONS].toSorted())
})

describe.each(OPERATIONS)('%s', (id) => {
  test('the same key gets the same response, and the change is made once', async () => {
    const { send, audited } = await change(id)
    const first = await read(await send())
    expect(first[0]).toBeLessThan(300)
    expect([await read(await send()), await read(await send())]).toEqual([first, first])
    expect(await audited()).toBe(1)
  })

  test('another key, or none, is another request', async () => {
    const { send } = await change(id)
    const responses = [await read(await send()), await read(await send({ key: randomUUID() }))]
    const again = await read(await send({ key: '' }))
    expect(responses[1]).not.toEqual(responses[0])
    expect([responses[0], responses[1]]).not.toContainEqual(again)
  })

  test('parallel requests with one key make one change; 503 says that it is in progress', async () => {
    const { send, audited } = await change(id)
    const responses = await Promise.all(Array.from({ length: 5 }, async () => read(await send())))
    const statuses = new Set(responses.map(([status]) => status))
    statuses.delete(503)
    expect(statuses.size).toBe(1)
    const [secret] = [
      ...new Set(responses.filter(([status]) => status < 300).map((each) => JSON.stringify(each))),
    ]
    expect(JSON.stringify(await read(await send()))).toBe(secret)
    expect(await audited()).toBe(1)
  })

  test('422: the key with another body; the first request still gets its response', async () => {
    const { code, send, audited } = await change(id)
    const first = await read(await send())
    const other = {
      ...bodyFor(id, code),
      ...(id === 'createPartner' ? { name: 'Other' } : { grace_days: 3 }),
    }
    expect(await errorBody(await send({ body: other }))).toMatchObject({
      status: 422,
      error: 'idempotency_key_reused',
    })
    // The same fields in another order are the same request.
    const reversed = Object.fromEntries(Object.entries(bodyFor(id, code)).toReversed())
    expect(await read(await send({ body: reversed }))).toEqual(first)
    expect(await audited()).toBe(1)
  })

  test('a key of another administrator is another key', async () => {
    const { send } = await change(id)
    const first = await read(await send())
    const token = await service.tokens.operator(undefined, undefined, 'another-operator')
    const other = await read(await send({ token }))
    expect(other).not.toEqual(first)
    // The partner is there already.
    expect(other[0]).toBe(id === 'createPartner' ? 409 : first[0])
  })

  test('the stored response is encrypted, and deleted when its time is over', async () => {
    const { send } = await change(id)
    const [, body] = await read(await send())
    const secrets = JSON.stringify(body).match(/\b(tw[ts]_\w+|whsec_[\w+/=]+)/g)!
    const dump = await service.dumpDatabase()
    expect(secrets.filter((secret) => dump.includes(secret.replace(/^whsec_|=$/g, '')))).toEqual([])
    const stored = async () =>
      (
        await sql`select from idempotent_response where expires_at < clock_now() + interval '901 s'`.execute(
          service.db,
        )
      ).rows.length
    expect(await stored()).toBeGreaterThan(0)
    await service.advance(901)
    await expect.poll(stored).toBe(0)
    const [status, again] = await read(await send())
    expect(again).not.toEqual(body)
    expect(status).toBe({ createPartner: 409, rotateCredential: 201, rotateWebhookSecret: 200 }[id])
  })
})

test('422: the key with another path or query', async () => {
  const { send } = await change('rotateCredential')
  await send()
  const { code } = await service.partner()
  const refused = [await send({ code }), await send({ reason: 'leaked' })]
  expect(await Promise.all(refused.map(async (response) => (await errorBody(response)).error))).toEqual([
    'idempotency_key_reused',
    'idempotency_key_reused',
  ])
})

test('422: a key that is too short, or has other characters', async () => {
  const { send } = await change('rotateCredential')
  for (const key of ['short', `with space ${randomUUID()}`, 'x'.repeat(256)])
    expect(await errorBody(await send({ key }))).toMatchObject({ status: 422, error: 'validation_failed' })
})

test('403: without the scope a stored response is not sent', async () => {
  const { send } = await change('rotateCredential')
  await send()
  const token = await service.tokens.operator('partners:read')
  expect(await errorBody(await send({ token }))).toMatchObject({ status: 403, error: 'scope_not_granted' })
})

test('a refused request stores nothing: the same key may be sent again', async () => {
  const { send, key } = await change('rotateCredential')
  expect((await send({ code: 'UNKNOWN' })).status).toBe(404)
  expect((await send({ key })).status).toBe(201)
})

test('500: a stored response that was copied from another key is not sent', async () => {
  const [own, other] = [await change('rotateCredential'), await change('rotateCredential')]
  await own.send()
  const { rows } = await sql<{ content: string }>`
    select content from idempotent_response order by expires_at desc limit 1`.execute(service.db)
  await other.send()
  await sql`update idempotent_response set content = ${rows[0]!.content}`.execute(service.db)
  expect([(await own.send()).status, (await other.send()).status]).toEqual([201, 500])
})

test('a stored response is not sent after its time, also before it is deleted', async () => {
  const { send } = await change('rotateCredential')
  const [, first] = await read(await send())
  await sql`update idempotent_response set expires_at = clock_now()`.execute(service.db)
  const [status, second] = await read(await send())
  expect(status).toBe(201)
  expect(second).not.toEqual(first)
})

test('500: a change whose response cannot be stored is not made', async () => {
  const { send, audited } = await change('rotateCredential')
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refuse'; end $$`.execute(
    service.db,
  )
  await sql`
    create constraint trigger refuse after insert on idempotent_response deferrable initially deferred
    for each row execute function refuse()`.execute(service.db)
  expect([(await send()).status, await audited()]).toEqual([500, 0])
  await sql`drop trigger refuse on idempotent_response`.execute(service.db)
  expect([(await send()).status, await audited()]).toEqual([201, 1])
})

test('201: the new secret works at once, also after it was sent again', async () => {
  const partner = await service.partner()
  const headers = {
    Authorization: `Bearer ${service.operatorToken}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
  }
  const rotate = async () => {
    const response = await service.send('rotateCredential', {
      path: { partner_code: partner.code },
      headers,
      body: JSON.stringify({ kind: 'secret_token', grace_days: 0 }),
    })
    return ((await response.json()) as { secret: string }).secret
  }
  // The old secret is in the cache of partners.
  expect(await credentials.tryToken(partner, partner.credentials.secret_token)).toBe(404)
  const secret = await rotate()
  expect(await credentials.tryToken(partner, secret)).toBe(404)
  expect(await credentials.tryToken(partner, partner.credentials.secret_token)).toBe(401)
  expect(await rotate()).toBe(secret)
})
