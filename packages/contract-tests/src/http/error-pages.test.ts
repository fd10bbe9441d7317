// The link of an error response, and the pages about error codes.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ErrorCode, routes } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { locate } from '../contract-check/documents.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const CODES = Object.keys(catalogue) as ErrorCode[]

const read = async (path: string) => (await fetch(service.url + path)).text()
const linkTo = (code: ErrorCode) => `<${service.url}/errors/${code}>; rel="help"`

describe('an error links to the page of its code, and is not stored', () => {
  test.each<[number, ErrorCode, string, RequestInit]>([
    [401, 'credentials_missing', locate('inquire').path, {}],
    [401, 'token_missing', locate('listPartners').path, {}],
    [404, 'not_found', '/nothing', {}],
    [404, 'not_found', '/docs/nothing', {}],
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

describe('the pages', () => {
  test('200: the list links to the page of every code', async () => {
    const list = await read('/errors')
    expect([...list.matchAll(/href="\/errors\/(\w+)"/g)].map(([, code]) => code)).toEqual(CODES)
  })

  test.each(CODES)(
    '200: %s: what happened, what to do, and the operations that document the code',
    async (code) => {
      const { operations, example, ...entry } = catalogue[code]
      const page = await read(`/errors/${code}`)
      expect(page).toContain(`<title>${code} - Tiwala</title>`)
      expect(page.match(/<h2>/g)).toHaveLength(
        3 + Number('citizen' in entry) + documentsOf(operations).length,
      )
      expect([...page.matchAll(/<li><code>(\w+)<\/code>/g)].map(([, id]) => id)).toEqual(operations)
      expect(page).not.toMatch(/<script|undefined|\[object/)
      // Escaped: one message contains `<token>`.
      expect(page).not.toContain('<token>')
      expect(page).toContain(escaped(example.message))
    },
  )
})

const documentsOf = (operations: string[]) =>
  Object.values(routes).filter((table) => operations.some((id) => id in table))
const escaped = (message: string) =>
  message.replaceAll(/[<>']/g, (character) => `&#${character.charCodeAt(0)};`)
