import { expect, test } from 'vitest'
import { isDatabaseUnavailable, isUnstorableText } from '../../src/database/unavailable.ts'

const errorWith = (code: string) => Object.assign(new Error('failed'), { code })

test.each([
  ['08006', 'a lost connection'],
  ['53300', 'too many connections'],
  ['57P01', 'a shutdown'],
  ['57014', 'a statement timeout'],
  ['55P03', 'a lock timeout'],
  ['40001', 'a serialization failure'],
  ['40P01', 'a deadlock'],
  ['25006', 'a standby'],
  ['3D000', 'a database that does not exist yet'],
  ['ECONNREFUSED', 'no server at the address'],
  ['ECONNRESET', 'a reset connection'],
  ['EPIPE', 'a closed connection'],
  ['ETIMEDOUT', 'a connection timeout'],
  ['ENOTFOUND', 'an unknown host'],
  ['EAI_AGAIN', 'no answer of the name server'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'no route to the network'],
])('%s: %s is temporary', (code) => {
  expect(isDatabaseUnavailable(errorWith(code))).toBe(true)
})

test.each([
  ['22021', 'the character NUL'],
  ['23505', 'a duplicate key'],
  ['42P01', 'a missing table'],
  ['XX000', 'an internal error'],
  ['ENOENT', 'a missing file'],
])('%s: %s is an error of the statement', (code) => {
  expect([isDatabaseUnavailable(errorWith(code)), isUnstorableText(errorWith(code))]).toEqual([
    false,
    code === '22021',
  ])
})

test('a missing Unix socket is temporary', () => {
  expect(isDatabaseUnavailable(Object.assign(errorWith('ENOENT'), { syscall: 'connect' }))).toBe(true)
})

test('a thrown value that is no error is no error of the database', () => {
  expect(isDatabaseUnavailable('08006')).toBe(false)
})
