import { TiwalaError, verifyWebhook, WebhookError } from '@tiwala/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  at,
  BODY,
  type Given,
  headersWith,
  ID,
  OTHER_SECRET,
  SECRET,
  SENT_AT,
  sign,
  verificationOutcome,
  verify,
} from '../kit/signed-event.ts'

const SIGNATURE = sign()
const JUNK = [
  'v1,',
  'v1,!',
  'v1,AAAA',
  `v1,${'A'.repeat(10_001)}`,
  SIGNATURE.slice(0, -1),
  SIGNATURE.slice('v1,'.length),
  SIGNATURE.replace('v1', 'v2'),
  SIGNATURE.replace(',', ' '),
  ' ',
]
const withHeader = (name: string, value: string | string[] | undefined): Given => ({
  headers: { ...headersWith(SIGNATURE), [name]: value },
})

const withOptions = (options: object): unknown[] => [
  BODY,
  headersWith(SIGNATURE),
  SECRET,
  { now: at(SENT_AT), ...options },
]

describe('verifyWebhook refuses', () => {
  test.each<[string, Given]>([
    ['a changed body', { body: BODY.replace('test', 'Test') }],
    ['a space more in the body', { body: `${BODY} ` }],
    ['no body', { body: '' }],
    ['another id', withHeader('webhook-id', `${ID}0`)],
    ['two ids', withHeader('webhook-id', [ID, ID])],
    ['another timestamp', withHeader('webhook-timestamp', String(SENT_AT + 1))],
    ['another secret', { secret: OTHER_SECRET }],
    ...JUNK.map((text): [string, Given] => [
      `the signature ${JSON.stringify(text.slice(0, 60))}`,
      { headers: headersWith(text) },
    ]),
  ])('signature_invalid: %s', async (_what, given) => {
    expect(await verificationOutcome(given)).toBe('signature_invalid')
  })

  test('many signatures: the work has a bound, and only what can be one is compared', async () => {
    const compare = vi.spyOn(crypto.subtle, 'verify')
    onTestFinished(() => compare.mockRestore())
    for (const [signatures, most] of [
      [`x${' '.repeat(15_000)}x`, 0],
      ['v1,AAAA '.repeat(1_900), 0],
      [`${sign('other')} `.repeat(300), 16],
    ] as const) {
      compare.mockClear()
      expect(await verificationOutcome({ headers: headersWith(signatures) })).toBe('signature_invalid')
      expect(compare.mock.calls.length).toBe(most)
    }
    expect(await verificationOutcome({ headers: headersWith(`v1,AAAA v1a,zz ${SIGNATURE}`) })).toBe(
      'verified',
    )
  })

  test.each(Object.keys(headersWith('')))('headers_missing: without %s', async (name) => {
    for (const value of [undefined, '', []])
      expect(await verificationOutcome(withHeader(name, value))).toBe('headers_missing')
    const headers = new Headers(headersWith(SIGNATURE))
    headers.delete(name)
    expect(await verificationOutcome({ headers })).toBe('headers_missing')
  })

  test.each(['now', '1e9', '-1', '1.5', ' ', '0x10', `${SENT_AT} ${SENT_AT}`, '9'.repeat(400)])(
    'timestamp_invalid: %j',
    async (text) => {
      expect(await verificationOutcome(withHeader('webhook-timestamp', text))).toBe('timestamp_invalid')
    },
  )

  test.each<[string, string | string[]]>([
    ['a secret of another kind', 'tws_test_0123456789012345678901234567890123456789012345678'],
    ['no prefix', SECRET.slice('whsec_'.length)],
    ['nothing after the prefix', 'whsec_'],
    ['no base64', 'whsec_!!!!'],
    ['half of one', SECRET.slice(0, 30)],
    ['more than one', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['an empty text', ''],
    ['an empty list', []],
    ['a bad one beside a good one', [SECRET, 'whsec_']],
  ])('secret_invalid: %s', async (_what, secret) => {
    expect(await verificationOutcome({ secret })).toBe('secret_invalid')
  })

  test.each(['', 'ok', 'null', '[]', '{}', '{"type":1}', '"webhook.test"', '{"type":"webhook.test"'])(
    'body_invalid: %j, though signed',
    async (body) => {
      expect(await verificationOutcome({ body, headers: headersWith(sign(body)) })).toBe('body_invalid')
    },
  )

  test.each<[string, unknown[]]>([
    ['a parsed body', [JSON.parse(BODY), headersWith(SIGNATURE), SECRET]],
    ['no body', [undefined, headersWith(SIGNATURE), SECRET]],
    ['no headers', [BODY, undefined, SECRET]],
    ['an environment variable that is not set', [BODY, headersWith(SIGNATURE), undefined]],
    ['one of two that is not set', [BODY, headersWith(SIGNATURE), [SECRET, undefined]]],
    ['a tolerance that is no number', withOptions({ toleranceSeconds: Number.NaN })],
    ['a negative tolerance', withOptions({ toleranceSeconds: -1 })],
    ['an invalid time', withOptions({ now: new Date('today') })],
  ])('with a TypeError: %s', async (_what, given) => {
    const call = verifyWebhook(...(given as Parameters<typeof verifyWebhook>))
    const error = await call.catch((thrown: unknown) => thrown as Error)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toMatch(/^(rawBody|headers|secret|toleranceSeconds|now) must be /)
  })

  test('with a WebhookError that has a code and no secret', async () => {
    const error = await verify({ secret: OTHER_SECRET }).catch((thrown: unknown) => thrown as WebhookError)
    expect(error).toBeInstanceOf(WebhookError)
    expect(error).not.toBeInstanceOf(TiwalaError)
    expect(error).toMatchObject({
      name: 'WebhookError',
      code: 'signature_invalid',
      message: expect.stringMatching(/ \(signature_invalid\)$/),
    })
    expect(JSON.stringify(error)).not.toContain(OTHER_SECRET)
  })
})
