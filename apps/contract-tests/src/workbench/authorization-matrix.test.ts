// Every operation of the workbench, for every role, with what belongs to the own and to another partner. The table
// follows from the document, so a new operation is in it by itself.
import { type OperationId, routes } from '@tiwala/contract'
import { locate } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { documentedStatuses, neededScopeOf, parametersOf } from '../contract-check/documents.ts'
import { errorBody } from '../kit/error-body.ts'
import { sendParts } from '../kit/send-parts.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { validRequest } from '../kit/valid-requests.ts'

const service = await startServiceForFile({})
const IDS = Object.keys(routes.workbench) as OperationId[]
const ROLES = ['viewer', 'developer', 'admin'] as const
const isChange = (id: OperationId) => routes.workbench[id as 'signOut'].method !== ('get' as string)
const hasPathParameter = (id: OperationId) => parametersOf(id).some(({ value }) => value['in'] === 'path')

const prepare = async (id: OperationId) => {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  return { partner, citizen, parts: await validRequest(id, { ...service, partner, citizen }) }
}

describe.each(IDS)('%s', (id) => {
  const needed = ROLES.indexOf(neededScopeOf(id) as (typeof ROLES)[number])

  test.each(
    ROLES.flatMap(
      (role) =>
        [
          [role, 'session'],
          [role, 'token'],
        ] as const,
    ),
  )('%s, by %s: works from the role of the document on, else 403', async (role, by) => {
    const { partner, parts } = await prepare(id)
    const { headers, bearer } = await service.signIn(partner.code, role)
    const { status, text } = await sendParts(service, id, {
      ...parts,
      headers: by === 'token' ? bearer : headers,
    })
    const { error } = JSON.parse(text) as { error?: string }
    const isAllowed = ROLES.indexOf(role) >= needed
    expect([status, error]).toEqual(
      isAllowed ? [documentedStatuses(id)[0], undefined] : [403, 'role_not_granted'],
    )
  })

  test('401: the credentials of partners, citizens and administrators are none of a member', async () => {
    const { partner, parts } = await prepare(id)
    for (const headers of [
      partner.headers,
      { Authorization: `Bearer ${service.operatorToken}` },
      { Authorization: `Bearer ${(await service.citizen()).token}` },
    ])
      expect((await sendParts(service, id, { ...parts, headers })).status).toBe(401)
  })
})

describe.each(IDS.filter(isChange))('%s', (id) => {
  test('403: without the token of its own session, nothing changes', async () => {
    const { partner, parts } = await prepare(id)
    const other = await service.signIn(partner.code)
    const { Cookie } = parts.headers as { Cookie: string }
    for (const headers of [{ Cookie }, { Cookie, 'X-Csrf-Token': other.headers['X-Csrf-Token'] }])
      expect(await sendParts(service, id, { ...parts, headers })).toMatchObject({
        status: 403,
        text: expect.stringContaining('csrf_token_invalid'),
      })
    expect((await sendParts(service, id, parts)).status).toBe(documentedStatuses(id)[0])
  })
})

describe.each(IDS.filter(hasPathParameter))('%s', (id) => {
  test('404: what belongs to another partner is like unknown', async () => {
    const { parts } = await prepare(id)
    const stranger = await service.partner()
    const { headers, bearer } = await service.signIn(stranger.code)
    const unknown = Object.fromEntries(Object.keys(parts.path!).map((name) => [name, 'unknown']))
    const answers = await Promise.all(
      (
        [
          [parts.path!, headers],
          [unknown, headers],
          [parts.path!, bearer],
        ] as const
      ).map(async ([path, credentials]) => {
        const { status, text } = await sendParts(service, id, { ...parts, path, headers: credentials })
        const { request_id: _, ...body } = JSON.parse(text) as Record<string, unknown>
        return { status, body }
      }),
    )
    expect(answers[0]).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(answers.slice(1)).toEqual([answers[0], answers[0]])
    // The owner still has it.
    expect((await sendParts(service, id, parts)).status).toBe(documentedStatuses(id)[0])
  })
})

const idsIn = (text: string): string[] =>
  text.match(/"(id|request_id|tracking_no|member_id|partner_code|webhook_id|callback_url)":"[^"]+"/g) ?? []

describe.each(IDS.filter((id) => !hasPathParameter(id) && !isChange(id)))('%s', (id) => {
  test('200: has nothing of another partner', async () => {
    const { partner, citizen, parts } = await prepare(id)
    await partner.profiles.requestAuthorization(await citizen.showQr())
    const readOwn = async () => idsIn((await sendParts(service, id, parts)).text)
    await expect.poll(readOwn).not.toEqual([])
    const { headers, bearer } = await service.signIn((await service.partner()).code)
    const read = async (credentials: Record<string, string>) =>
      idsIn((await sendParts(service, id, { ...parts, headers: credentials })).text)
    const others = new Set([...(await read(headers)), ...(await read(bearer))])
    expect((await readOwn()).filter((own) => others.has(own))).toEqual([])
  })
})

test('405: the operations have no other methods', async () => {
  const response = await fetch(service.url + locate('readSession').path, { method: 'PUT' })
  expect([response.status, (await errorBody(response)).error]).toEqual([405, 'method_not_allowed'])
})
