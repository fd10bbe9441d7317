import { expect, test } from 'vitest'
import { judgeAudit } from '../judge-audit.ts'

const reportOf = (...severities: string[]) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      severities.map((severity) => [`package-${severity}`, { severity, range: '<1.2.3' }]),
    ),
  })

test.each(['high', 'critical'])('a vulnerability of %s severity fails, and is named', (severity) => {
  const { isAcceptable, text } = judgeAudit(reportOf('low', severity))
  expect([isAcceptable, text.split('\n')[0]]).toEqual([false, `package-${severity} <1.2.3: ${severity}`])
})

test('lower severities pass', () => {
  expect(judgeAudit(reportOf('low', 'moderate'))).toEqual({
    isAcceptable: true,
    text: 'No high or critical vulnerability (2 of lower severity).',
  })
})

test.each(['', 'npm error', '{"message":"405 Method Not Allowed"}'])(
  'a registry that does not answer passes: %j',
  (output) =>
    expect(judgeAudit(output)).toEqual({
      isAcceptable: true,
      text: 'The registry does not answer npm audit: nothing was checked.',
    }),
)
