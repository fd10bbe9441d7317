import { locate } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { event, createInboxClient } from '../kit/sandbox-inbox.ts'
import { startServiceForFile } from '../kit/test-service.ts'

// A separate service, because other tests post to the inbox of the shared one.
const service = await startServiceForFile({})
const inbox = await createInboxClient(service)

describe('the page of the inbox', () => {
  test('200: the empty page explains how to create an event', async () => {
    const response = await fetch(inbox.url)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const text = await response.text()
    expect(text).toContain('Nothing has arrived yet')
    expect(text).toContain(service.url + locate('testCallback').path.replace('{partner_code}', 'SANDBOX'))
    expect(await inbox.arrivals()).toEqual([])
  })

  test('200: the received events, each with its headers and its body', async () => {
    const data = { tracking_no: '7M3K9QXV4T0HB2ZJ6WFE8RC5ND', state: 'ACCEPTED', scope: 'PROFILE_INQUIRE' }
    const { id } = await inbox.postSigned(event('authorization.accepted', data))
    const text = await inbox.page()
    for (const part of ['>authorization.accepted<', '>…C5ND<', '>ACCEPTED<', '>Valid signature<'])
      expect(text).toContain(part)
    for (const part of [`webhook-id: ${id}`, `&#34;tracking_no&#34;: &#34;${data.tracking_no}&#34;`])
      expect(text).toContain(part)
    for (const part of ['Nothing has arrived yet', 'Wrong signature']) expect(text).not.toContain(part)
    await inbox.post(event('webhook.test'))
    expect(await inbox.page()).toContain('Wrong signature')
  })

  test('200: newest first', async () => {
    for (const type of ['number.1', 'number.2']) await inbox.postSigned(event(type))
    expect((await inbox.page()).match(/number\.\d(?=<)/g)).toEqual(['number.2', 'number.1'])
  })

  test('200: posted content is escaped, and the page runs only its own script', async () => {
    const hostile = '<script>alert(1)</script>'
    await inbox.postSigned(event(hostile, { tracking_no: '"><i>', state: `'"&${hostile}` }))
    const response = await fetch(inbox.url)
    const text = await response.text()
    expect(text).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
    expect(text.match(/<script[^>]*>|<i>/g)).toEqual(['<script type="module" src="/sandbox/inbox.js">'])
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
  })

  test('200: the page loads nothing from other servers, and the first page links to it', async () => {
    const links = [...(await inbox.page()).matchAll(/href="([^"#]+)/g)].map(([, path]) => path!)
    expect(links.length).toBeGreaterThan(4)
    // `/sandbox/` is built for the browser tests only.
    for (const link of links.filter((path) => path !== '/sandbox/'))
      expect([link, (await fetch(new URL(link, inbox.url))).ok]).toEqual([link, true])
    expect(await (await fetch(service.url)).text()).toContain('href="/sandbox/inbox"')
  })

  test('200: neither the page nor its JSON is cached', async () => {
    const kept = await Promise.all(
      [inbox.url, `${inbox.url}.json`].map(async (url) => (await fetch(url)).headers.get('cache-control')),
    )
    expect(kept).toEqual(['no-store', 'no-store'])
  })
})
