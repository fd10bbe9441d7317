import { expect, test } from 'vitest'
import { Failure, fieldFailure } from '../../../src/failure.ts'

test('a failure without a message of its own has that of the catalogue', () => {
  expect(new Failure('not_found').message).toBe(new Failure('not_found', {}).message)
  expect(new Failure('not_found').message).toMatch(/.{5,}/)
  expect(new Failure('not_found', { message: 'No such page' }).message).toBe('No such page')
})

test('a failure keeps the check that refused, for the diagnosis', () => {
  const failure = new Failure('rate_limited', { retryAfterSeconds: 1, check: 'rate' })
  expect(failure.check).toBe('rate')
})

test('a failure keeps what caused it, for the log', () => {
  const cause = new Error('fault')
  expect(new Failure('internal_error', { cause }).cause).toBe(cause)
})

test('no cache may store the response of a failure', () => {
  expect(new Failure('not_found').toHeaders('https://tiwala.example')).toEqual({
    'Cache-Control': 'no-store',
    Link: '<https://tiwala.example/errors/not_found>; rel="help"',
  })
})

test('a failure of a field has the message of its code for this field', () => {
  const { message, errors } = fieldFailure('scope_invalid', 'scope')
  expect(errors).toEqual({ scope: [message] })
})
