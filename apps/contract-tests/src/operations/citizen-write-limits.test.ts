// How often one citizen can call each operation that changes something.
import { type CitizenAppOperations, routes } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { bodyOf } from '../kit/body-forms.ts'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { validRequest } from '../kit/valid-requests.ts'

type Id = keyof CitizenAppOperations

const PER_MINUTE = 2

const service = await startServiceForFile({ TIWALA_WRITES_PER_CITIZEN_AND_MINUTE: String(PER_MINUTE) })

const idsWith = (isRead: boolean) =>
  (Object.keys(routes['citizen-app']) as Id[]).filter(
    (id) => (routes['citizen-app'][id].method === 'get') === isRead,
  )

async function actorsWithRequest(id: Id) {
  const actors = { ...service, partner: await service.partner(), citizen: await service.citizen() }
  const parts = await validRequest(id, actors)
  const { body, headers: type } = bodyOf(parts)
  const send = (headers = parts.headers) =>
    service.send(id, {
      headers: { ...type, ...headers },
      ...(parts.path && { path: parts.path }),
      ...(body && { body }),
    })
  return { ...actors, send }
}

describe.each(idsWith(false))('%s', (id) => {
  test('429: above the limit, for this citizen and this operation only', async () => {
    const { citizen, send } = await actorsWithRequest(id)
    for (let count = 0; count < PER_MINUTE; count++) expect((await send()).status).not.toBe(429)
    const refused = await send()
    expect(await errorBody(refused)).toMatchObject({ status: 429, error: 'rate_limited' })
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)

    const { token } = await service.citizen()
    expect((await send({ Authorization: `Bearer ${token}` })).status).not.toBe(429)
    const other = await service.send('disputeDisclosure', {
      headers: { Authorization: `Bearer ${citizen.token}` },
    })
    expect(other.status).toBe(id === 'disputeDisclosure' ? 429 : 404)
  })
})

test.each(idsWith(true).filter((id) => id !== 'streamEvents'))('200: %s is not limited', async (id) => {
  const { send } = await actorsWithRequest(id)
  const statuses = await Promise.all(
    Array.from({ length: PER_MINUTE + 1 }, async () => (await send()).status),
  )
  expect(statuses).not.toContain(429)
})
