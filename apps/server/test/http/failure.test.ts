import { expect, test } from 'vitest'
import { Failure } from '../../src/failure.ts'

test('a failure without a message of its own has that of the catalogue', () => {
  expect(new Failure('not_found').message).toBe(new Failure('not_found', {}).message)
  expect(new Failure('not_found').message).toMatch(/.{5,}/)
  expect(new Failure('not_found', { message: 'No such page' }).message).toBe('No such page')
})

test('a failure keeps the check that refused, for the diagnosis', () => {
  const failure = new Failure('rate_limited', { retryAfterSeconds: 1, check: 'rate' })
  expect(failure.check).toBe('rate')
})
