// The headers that the service or the client reads, in every form of their standards.
import { retryAfterSecondsOf } from '@tiwala/transport/retry-after'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { preferredWaitSeconds } from '../../src/authorizations/inquire/wait.ts'

describe('Retry-After', () => {
  const DATE = 'Sun, 06 Nov 2033 08:49:30 GMT'
  const secondsOf = (retryAfter: string, date = DATE) =>
    retryAfterSecondsOf(new Headers({ 'Retry-After': retryAfter, Date: date }))

  test.each([
    ['seconds', '7', 7],
    ['seconds with zeros', '007', 7],
    ['more seconds than a date can hold', '99999999999', 99_999_999_999],
    ['a date', 'Sun, 06 Nov 2033 08:49:37 GMT', 7],
    ['a date with the name of the day (RFC 850)', 'Sunday, 06-Nov-33 08:49:37 GMT', 7],
    ['a date of asctime', 'Sun Nov  6 08:49:37 2033', 7],
    ['a date that has passed', 'Sun, 06 Nov 2033 08:49:00 GMT', 0],
    ['a date without GMT', 'Sun, 06 Nov 2033 08:49:37', undefined],
    ['a date of ISO 8601', '2033-11-06T08:49:37Z', undefined],
    ['a negative number', '-7', undefined],
    ['a fraction', '1.5', undefined],
    ['another text', 'soon', undefined],
    ['nothing', '', undefined],
  ])('%s', (_title, value, seconds) => {
    expect(secondsOf(value)).toBe(seconds)
  })

  test('without a Date, or with one that cannot be read, the clock of this machine', () => {
    vi.useFakeTimers({ now: Date.parse(DATE) })
    onTestFinished(() => void vi.useRealTimers())
    const headers = { 'Retry-After': 'Sun, 06 Nov 2033 08:49:37 GMT' }
    expect(retryAfterSecondsOf(new Headers(headers))).toBe(7)
    expect(retryAfterSecondsOf(new Headers({ ...headers, Date: 'today' }))).toBe(7)
  })

  test('Date in another form', () => {
    expect(secondsOf('Sun, 06 Nov 2033 08:49:37 GMT', 'Sun Nov  6 08:49:30 2033')).toBe(7)
  })
})

describe('Prefer', () => {
  test.each([
    ['wait=25', 25],
    ['WAIT = 25', 25],
    ['wait="25"', 25],
    ['wait=25; detail=x', 25],
    ['respond-async, wait=25', 25],
    ['return=minimal; foo="a, wait=5", wait=25', 25],
    [String.raw`foo="a \", wait=5"`, 0],
    ['wait="25"; detail="x"', 25],
    ['foo="5", wait="25", bar="a, wait=5"', 25],
    ['foo="wait=5', 0],
    ['wait=10, wait=25', 10],
    ['wait=99999999999', 99_999_999_999],
    ['await=25', 0],
    ['wait=-1', 0],
    ['wait=2.5', 0],
    ['wait', 0],
  ])('%s', (value, seconds) => {
    expect(preferredWaitSeconds(value)).toBe(seconds)
  })
})
