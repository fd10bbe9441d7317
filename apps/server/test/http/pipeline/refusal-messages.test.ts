// What a refusal says when the input cannot be read or stored, or names something that does not exist.
import { randomUUID } from 'node:crypto'
import { locate } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../../kit/api-client.ts'
import { requestText, sendRaw } from '../../kit/raw-http.ts'

const { service, api } = await startServiceForFile()
type ErrorBody = { message: string; errors?: Record<string, string[]> }
const bodyOf = async (response: Response) => (await response.json()) as ErrorBody
const messageOf = async (response: Response) => (await bodyOf(response)).message

test('400: a NUL character', async () => {
  expect(await messageOf(await api.inquire('a\0b'))).toBe('A value contains the character NUL')
})

test('400: a path that cannot be decoded', async () => {
  const path = locate('readAuthorization').path.replace(/\{.*?\}/, '%E0')
  const response = await fetch(`${service.url}${path}`, { headers: api.asCitizen })
  expect(await messageOf(response)).toBe('The path cannot be read')
})

describe('a body that cannot be read', () => {
  const form = new FormData()
  form.set('exchange_code', new Blob(['text']), 'file.txt')
  const json = { 'Content-Type': 'application/json' }

  test.each<[number, string, RequestInit]>([
    [400, 'A file was sent where a text field is expected', { body: form }],
    [400, 'The body cannot be read', { body: '{', headers: json }],
    [400, 'A field or parameter was given more than once', { body: new URLSearchParams('scope=a&scope=b') }],
    [413, 'The body is larger than 16 KiB', { body: '"'.padEnd(17_000), headers: json }],
    [
      415,
      'The Content-Encoding or charset is not supported',
      { body: '{}', headers: { ...json, 'Content-Encoding': 'compress' } },
    ],
  ])('%i: %s', async (status, message, init) => {
    const response = await api.send('generateToken', init)
    expect([response.status, await messageOf(response)]).toEqual([status, message])
  })

  test('400: an import that is not UTF-8', async () => {
    const headers = { ...api.asOperator, 'Content-Type': 'application/x-ndjson' }
    const response = await api.send('importCitizens', { headers, body: Buffer.from([0xff]) })
    expect([response.status, await messageOf(response)]).toEqual([400, 'The body is not UTF-8'])
  })
})

test.each([
  ['The host is not valid', 'Host: a b'],
  ['The header Host was given more than once', 'Host: a\r\nHost: b'],
])('400: %s', async (message, hostHeader) => {
  const { response } = await sendRaw(
    service.url,
    `GET / HTTP/1.1\r\n${hostHeader}\r\nConnection: close\r\n\r\n`,
  )
  expect(JSON.parse(response!.body)).toMatchObject({ status: 400, message })
})

test('406: another type than that of the response', async () => {
  const { path } = locate('readPartnerSelf')
  const headers = { ...api.asPartner, Accept: 'text/html' }
  const { response } = await sendRaw(service.url, requestText('GET', path, headers))
  expect(JSON.parse(response!.body)).toMatchObject({
    status: 406,
    message: 'The response is application/json',
  })
})

describe('404: something that does not exist', () => {
  test('a partner', async () => {
    const response = await api.send('readPartner', {
      headers: api.asOperator,
      path: { partner_code: 'NONE' },
    })
    expect(await messageOf(response)).toBe('No partner has this partner_code')
  })

  test('a partner that a citizen signs in at', async () => {
    const response = await api.send('issueExchangeCode', {
      headers: api.asCitizen,
      json: { partner_code: 'NONE' },
    })
    expect(await messageOf(response)).toBe(
      'No active partner with this partner_code may sign citizens in, or the registry does not know this citizen',
    )
  })

  test('a disclosure', async () => {
    const headers = api.asCitizen
    const json = { reason: 'I do not know it.' }
    const path = { request_id: `req_${randomUUID()}` }
    const response = await api.send('disputeDisclosure', { headers, path, json })
    expect(await messageOf(response)).toBe('No disclosure of yours has this id')
  })
})

test('422: the field of a URL that no partner may have', async () => {
  const response = await api.send('setCallback', {
    headers: api.asOperator,
    path: { partner_code: api.partner.partner_code },
    json: { callback_url: 'https://10.0.0.1/events' },
  })
  expect(await bodyOf(response)).toMatchObject({
    errors: { callback_url: ['must be an https URL of a public host, without credentials'] },
  })
})

test('422: each entry of an allow-list that is not a range', async () => {
  const response = await api.send('changePartner', {
    headers: api.asOperator,
    path: { partner_code: api.partner.partner_code },
    json: { ip_allow_list: ['203.0.113.0/24', '203.0.113.1/24'] },
  })
  const { errors } = await bodyOf(response)
  expect(Object.keys(errors!)).toEqual(['ip_allow_list.1'])
  expect(errors!['ip_allow_list.1']![0]).toContain('must be an IP address, or a range such as 203.0.113.0/24')
})
