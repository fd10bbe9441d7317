import { describe, expect, test } from 'vitest'
import { continueTrace } from '../../../src/http/pipeline/trace-context.ts'
import { readTraceparent } from '../../../src/metrics/tracing.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const VALID = `00-${ID}-00f067aa0ba902b7-01`

describe('traceparent (W3C Trace Context, section 3.2)', () => {
  test.each([
    ['sampled', VALID, '01'],
    ['not sampled', VALID.replace(/01$/, '00'), '00'],
    ['other flags, which are not passed on', VALID.replace(/01$/, 'fe'), '00'],
    ['sampled with other flags', VALID.replace(/01$/, 'ff'), '01'],
    ['a later version', VALID.replace(/^00/, 'cc'), '01'],
    ['a later version with more fields', `${VALID.replace(/^00/, 'cc')}-what-comes`, '01'],
  ])('continued: %s', (_what, received, flags) => {
    const { id, traceparent, isContinued } = continueTrace(readTraceparent(received))
    expect({ id, isContinued }).toEqual({ id: ID, isContinued: true })
    expect(traceparent).toMatch(new RegExp(`^00-${ID}-(?!00f067aa0ba902b7)[0-9a-f]{16}-${flags}$`))
  })

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['a forbidden version', VALID.replace(/^00/, 'ff')],
    ['a version in upper case', VALID.replace(/^00/, 'CC')],
    ['a trace id in upper case', VALID.replace(ID, ID.toUpperCase())],
    ['a trace id that is not hexadecimal', VALID.replace(ID, `${ID.slice(1)}g`)],
    ['a parent id in upper case', VALID.replace('00f067aa0ba902b7', '00F067AA0BA902B7')],
    ['a trace id of zeros', VALID.replace(ID, '0'.repeat(32))],
    ['a short trace id', VALID.replace(ID, ID.slice(1))],
    ['a parent id of zeros', VALID.replace('00f067aa0ba902b7', '0'.repeat(16))],
    ['a long parent id', VALID.replace('00f067aa0ba902b7', '00f067aa0ba902b70')],
    ['flags that are not hexadecimal', VALID.replace(/01$/, '0x')],
    ['no flags', VALID.slice(0, -3)],
    ['more after version 00', `${VALID}-what-comes`],
    ['a dash after version 00', `${VALID}-`],
    ['more after a later version, without a dash', `${VALID.replace(/^00/, 'cc')}x`],
    ['two headers, joined by Node', `${VALID}, ${VALID}`],
  ])('ignored: %s', (_what, received) => {
    const { id, traceparent, isContinued } = continueTrace(readTraceparent(received))
    expect(isContinued).toBe(false)
    expect(traceparent).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-00$`))
    expect(id).toMatch(/^(?!4bf92f35)[0-9a-f]{32}$/)
  })
})
