// The responses that a page of another origin can read when it sends a partner's secrets.
import { type OperationId, routes } from '@tiwala/contract'
import { locate } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { bodyOf } from '../kit/body-forms.ts'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { type RequestParts, validRequests } from '../kit/valid-requests.ts'

const PAGE = 'https://shop.example'
const PARTNER_OPERATIONS = Object.keys(routes.partner) as OperationId[]
const BY_SECRET = PARTNER_OPERATIONS.filter((id) => id !== 'authenticate')

const service = await startServiceForFile()
const valid = await validRequests(service)

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
const preflight = (path: string, method: string, names: string) =>
  fetch(service.url + path, {
    method: 'OPTIONS',
    headers: {
      Origin: PAGE,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': names,
    },
  })
const send = (id: OperationId, { headers, ...parts }: RequestParts, more: Record<string, string> = {}) => {
  const { body, headers: type } = bodyOf(parts)
  const { query, path } = parts
  return service.send(id, {
    headers: { ...type, ...headers, ...more },
    ...(query && { query }),
    ...(path && { path }),
    ...(body !== undefined && { body }),
  })
}

describe.each(PARTNER_OPERATIONS)('%s', (id) => {
  test('204: the preflight allows every header except Authorization, and no credentials', async () => {
    const { method, path } = locate(id)
    const response = await preflight(
      path.replaceAll(/\{\w+\}/g, 'x'),
      method,
      'x-secret-code,x-secret-token, Content-Type,authorization',
    )
    expect([response.status, await response.text(), response.headers.get('cache-control')]).toEqual([
      204,
      '',
      'no-store',
    ])
    expect(response.headers.get('vary')).toBe('Access-Control-Request-Headers')
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': method,
      'access-control-allow-headers': 'x-secret-code, x-secret-token, content-type',
      'access-control-max-age': '600',
    })
  })
})

test('204: the preflight repeats no text that is no name of a header', async () => {
  const names = 'x-secret-code, , x y, <b>, a:b, x-secret-token'
  const response = await preflight(locate('inquire').path, 'GET', names)
  expect(response.headers.get('access-control-allow-headers')).toBe('x-secret-code, x-secret-token')
})

describe.each(BY_SECRET)('%s', (id) => {
  test('403: the page can read the error browser_use_forbidden, and nothing else', async () => {
    const parts = valid.get(id)!
    const refused = await send(id, parts, { Origin: PAGE })
    expect(await errorBody(refused.clone())).toMatchObject({ status: 403, error: 'browser_use_forbidden' })
    expect(corsOf(refused)).toEqual({ 'access-control-allow-origin': '*' })
    const unreadable = [
      await send(id, { ...parts, query: 'unheard_of=1' }, { Origin: service.url, 'X-Secret-Token': 'wrong' }),
      await send(id, parts, { Origin: PAGE, Accept: 'text/html' }),
      await send(id, parts, { Origin: service.url }),
    ]
    expect(unreadable.map(({ status }) => status < 300)).toEqual([false, false, true])
    for (const response of unreadable) expect(corsOf(response)).toEqual({})
  })
})

test('200: an access token works with an Origin; other origins cannot read the response', async () => {
  const response = await send('authenticate', valid.get('authenticate')!, { Origin: PAGE })
  expect([response.status, corsOf(response)]).toEqual([200, {}])
})

test.each<[number, string, string]>([
  [405, 'an operation of a citizen', locate('listAuthorizations').path],
  [405, 'an operation of an administrator', locate('listPartners').path],
  [404, 'a path that is none', `${locate('inquire').path}/x`],
])('%i: the preflight of %s', async (status, _what, path) => {
  const response = await preflight(path, 'GET', 'authorization')
  expect([response.status, corsOf(response)]).toEqual([status, {}])
})

test('405: OPTIONS that is not a preflight', async () => {
  const { path } = locate('inquire')
  for (const headers of [{}, { Origin: PAGE }, { 'Access-Control-Request-Method': 'GET' }])
    expect(
      (await fetch(service.url + path, { method: 'OPTIONS', headers: headers as Record<string, string> }))
        .status,
    ).toBe(405)
})
