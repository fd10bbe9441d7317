import { expect, test } from 'vitest'
import { checkAuditReport } from '../check-audit-report.ts'

const reportOf = (...severities: string[]) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      severities.map((severity) => [`package-${severity}`, { severity, range: '<1.2.3' }]),
    ),
  })

test.each(['high', 'critical'])('a vulnerability of %s severity fails, and is named', (severity) => {
  const { isAcceptable, text } = checkAuditReport(reportOf('low', severity))
  expect([isAcceptable, text.split('\n')[0]]).toEqual([false, `package-${severity} <1.2.3: ${severity}`])
})

test('lower severities pass', () => {
  expect(checkAuditReport(reportOf('low', 'moderate'))).toEqual({
    isAcceptable: true,
    text: 'No high or critical vulnerability (2 of lower severity).',
  })
})

test.each([
  '405 Method Not Allowed - POST https://registry.example/-/npm/v1/security/advisories/bulk',
  'request to https://registry.example/ failed, reason: connect ECONNREFUSED 127.0.0.1:9',
])('a registry that does not answer passes: %s', (message) =>
  expect(checkAuditReport(JSON.stringify({ message, error: {} }))).toEqual({
    isAcceptable: true,
    text: `The registry does not answer npm audit: nothing was checked (${message}).`,
  }),
)

test.each(['', 'npm error', '{"error":{"code":"ENOLOCK"}}', reportOf('high').slice(0, -1)])(
  'another failure of npm audit fails: %j',
  (output) =>
    expect(checkAuditReport(output)).toEqual({
      isAcceptable: false,
      text: `npm audit has failed: ${output || 'no output'}`,
    }),
)
