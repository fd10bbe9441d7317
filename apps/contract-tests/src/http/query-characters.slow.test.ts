// Clients escape queries in different ways. An unescaped value and an escaped one mean the same.
import type { OperationId, Schemas } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { REQUEST_FIELDS } from '../kit/request-fields.ts'
import { sendRaw } from '../kit/send-raw.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { validRequests } from '../kit/valid-requests.ts'

/** An approval is granted once, so a second request has another response. */
const PARAMETERS = REQUEST_FIELDS.filter(({ place, id }) => place === 'query' && id !== 'grantApproval')
/**
 * Every client escapes `&` and `#`, because they end a value. An unescaped `+` is a space
 * (WHATWG URL, section 5.1).
 */
const UNESCAPED = ":/?@!$'()*,;[]=+"
const meant = (text: string) => encodeURIComponent(text.replaceAll('+', ' '))

const service = await startServiceForFile()
const valid = await validRequests(service)

async function send(id: OperationId, name: string, written: string) {
  const { headers, path = {}, query = '' } = valid.get(id)!
  const others = query.split('&').filter((pair) => pair && !pair.startsWith(`${name}=`))
  const response = await sendRaw(service.url, id, {
    headers,
    path,
    query: [...others, `${name}=${written}`].join('&'),
  })
  const { request_id: _ours, ...body } = (await response.json()) as Schemas['Error']
  return { httpStatus: response.status, body }
}

describe.each(PARAMETERS.map(({ id, name }) => [id, name] as const))('%s: the parameter %s', (id, name) => {
  test('has the same response with escaped and unescaped characters', async () => {
    const texts = [...UNESCAPED.split('').map((character) => `a${character}b`), UNESCAPED]
    const responses = (written: (text: string) => string) =>
      Promise.all(texts.map((text) => send(id, name, written(text))))
    expect(await responses((text) => text)).toEqual(await responses(meant))
  })
  test('may hold any escaped characters', async () => {
    const { body } = await send(id, name, encodeURIComponent('a &#%+b'))
    expect(JSON.stringify(body)).not.toContain('reserved characters')
  })
})

test('200: a partner is found by an unescaped text', async () => {
  const name = "Mercado: D'Angelo & Sons (Cebu), 24/7; open @ 8 = early! [A*B] $1?"
  const { code } = await service.partner({ name })
  const written = name.replaceAll(' ', '+').replace('&', '%26')
  const { body } = await send('listPartners', 'q', written)
  expect(
    (body as unknown as { partners: Schemas['Partner'][] }).partners.map(({ partner_code }) => partner_code),
  ).toEqual([code])
})

test.each(['from', 'to'])('200: %s as a time with unescaped colons', async (name) => {
  expect((await send('listAuditEvents', name, '2026-11-20T08:00:00Z')).httpStatus).toBe(200)
})
