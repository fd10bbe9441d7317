import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { createForwardedReader } from '../../../src/http/pipeline/forwarded.ts'

const PROXY = '192.0.2.1'

function read() {
  const warn = vi.fn()
  const { readForwarded, ignoredProxy } = createForwardedReader({ warn })
  const from = (remoteAddress: string | undefined, headers: Record<string, string>) => {
    const app = { get: () => (address: string | undefined) => address === PROXY }
    const req = { headers, app, socket: { remoteAddress } } as unknown as Request
    void readForwarded(req, {} as Response, () => {})
    return req.headers['x-forwarded-for']
  }
  return { from, warn, ignoredProxy }
}

test.each([{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }])(
  'one warning names the first address that is not trusted and sends %o',
  (headers) => {
    const { from, warn, ignoredProxy } = read()
    from('192.0.2.2', {})
    from(PROXY, { 'x-forwarded-for': '203.0.113.7' })
    expect([warn.mock.calls, ignoredProxy()]).toEqual([[], undefined])
    from('192.0.2.2', headers)
    from('192.0.2.3', headers)
    expect(warn.mock.calls).toEqual([
      [{ host: '192.0.2.2' }, expect.stringContaining('TIWALA_TRUSTED_PROXIES does not contain the address')],
    ])
    expect(ignoredProxy()).toBe('192.0.2.2')
  },
)

test('one warning names a trusted proxy that sends only Forwarded, which is not read', () => {
  const { from, warn, ignoredProxy } = read()
  from(PROXY, { forwarded: 'for=203.0.113.7', 'x-forwarded-for': '203.0.113.8' })
  expect(warn.mock.calls).toEqual([])
  from('192.0.2.2', { forwarded: 'for=203.0.113.7' })
  expect(from(PROXY, { forwarded: 'for=203.0.113.7' })).toBeUndefined()
  from(PROXY, { forwarded: 'for=203.0.113.7' })
  expect(warn.mock.calls.slice(1)).toEqual([
    [{ host: PROXY }, expect.stringContaining('let the proxy set X-Forwarded-For')],
  ])
  expect(ignoredProxy()).toBe(PROXY)
})

test('a client that has gone has no address', () => {
  const { from, ignoredProxy } = read()
  from(undefined, { forwarded: 'for=203.0.113.7' })
  expect(ignoredProxy()).toBe('unknown')
})

test('the ports of addresses are removed', () => {
  const { from } = read()
  expect(
    from(PROXY, { 'x-forwarded-for': '203.0.113.7:1234,[2001:db8::1]:443, [2001:db8::2],2001:db8::3' }),
  ).toBe('203.0.113.7, 2001:db8::1, 2001:db8::2, 2001:db8::3')
})
