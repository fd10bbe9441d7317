// The link of an error response, and where it leads.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ErrorCode } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { locate } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const CODES = Object.keys(catalogue) as ErrorCode[]

const linkTo = (code: ErrorCode) => `<${service.url}/errors/${code}>; rel="help"`

describe('an error links to the page of its code, and is not stored', () => {
  test.each<[number, ErrorCode, string, RequestInit]>([
    [401, 'credentials_missing', locate('inquire').path, {}],
    [401, 'token_missing', locate('listPartners').path, {}],
    [404, 'not_found', '/nothing', {}],
    [404, 'not_found', '/downloads/nothing', {}],
    [405, 'method_not_allowed', locate('inquire').path, { method: 'PUT' }],
    [406, 'not_acceptable', locate('inquire').path, { headers: { Accept: 'text/html' } }],
  ])('%i %s: %s', async (status, code, path, init) => {
    const { status: received, headers } = await fetch(service.url + path, init)
    expect([received, headers.get('link'), headers.get('cache-control')]).toEqual([
      status,
      linkTo(code),
      'no-store',
    ])
  })

  test('400 malformed_request: a request that is not valid HTTP', async () => {
    const { hostname, port } = new URL(service.url)
    const response = await text(connect(Number(port), hostname).end('nonsense\r\n\r\n'))
    expect(response).toContain('HTTP/1.1 400 ')
    expect(response).toContain(`\r\nLink: ${linkTo('malformed_request')}\r\n`)
    expect(response).toContain('\r\nCache-Control: no-store\r\n')
  })

  test('200: a success has no such link', async () => {
    const { headers } = await service.partner()
    expect((await service.send('readPartnerSelf', { headers })).headers.has('link')).toBe(false)
  })
})

describe('the address of an error leads to the documentation', () => {
  test.each([
    ['/errors', '/docs/errors'],
    ...CODES.map((code) => [`/errors/${code}`, `/docs/errors/${code}`]),
  ])('302: %s', async (path, target) => {
    const { status, headers } = await fetch(service.url + path, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, target])
  })
})
