// What logs say about an error: names, codes and addresses of the whole chain of causes, and no message.
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { describeError, reasonOf } from '../../../src/describe-error.ts'
import { freePort } from '../../../src/testing/start-service.ts'

test('the chain of causes, without messages', async () => {
  const port = await freePort()
  const root = await new Promise((resolve) => connect(port, '127.0.0.1').once('error', resolve))
  const error = new Error('secret', { cause: new TypeError('fetch of secret failed', { cause: root }) })
  expect(describeError(error)).toEqual({
    name: 'Error',
    cause: {
      name: 'TypeError',
      cause: { name: 'Error', code: 'ECONNREFUSED', host: `127.0.0.1:${port}` },
    },
  })
  expect(reasonOf(error)).toBe(`ECONNREFUSED 127.0.0.1:${port}`)
})

test('several addresses, a code that is a text, and a ring of causes', () => {
  const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED', address: '::1', port: 5432 })
  expect(reasonOf(new AggregateError([refused]))).toBe('ECONNREFUSED ::1:5432')
  expect(describeError(Object.assign(new Error('no'), { code: 'Maria Santos' }))).toEqual({ name: 'Error' })
  expect(describeError('Maria Santos')).toEqual({ name: 'string' })
  const ring: Error = new Error('no')
  ring.cause = ring
  expect(JSON.stringify(describeError(ring)).match(/Error/g)).toHaveLength(6)
})
