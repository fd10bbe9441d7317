import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkAuditReport, readAuditReport } from '../check-audit-report.ts'
import { isShippedIn } from '../packages.ts'

const reportWith = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, vulnerabilities })
const vulnerable = (name: string, severity: string) => ({
  [name]: {
    severity,
    via: [{ severity, range: '<1.2.3' }],
    range: '<1.2.3',
    nodes: [`node_modules/${name}`],
  },
})
const reportOf = (...severities: string[]) =>
  reportWith(
    Object.assign({}, ...severities.map((severity) => vulnerable(`package-${severity}`, severity))) as object,
  )
const check = (output: string, isShipped = (_path: string) => true) => checkAuditReport(output, isShipped)

test.each(['high', 'critical'])('a vulnerability of %s severity fails, and is named', (severity) => {
  const { isAcceptable, text } = check(reportOf('low', severity))
  expect([isAcceptable, text.split('\n')[0]]).toEqual([false, `package-${severity} <1.2.3: ${severity}`])
})

test('lower severities pass', () => {
  expect(check(reportOf('low', 'moderate'))).toEqual({
    isAcceptable: true,
    text: 'No high or critical vulnerability (2 of lower severity).',
  })
})

test('packages of the service and of the pages count, those that only build or test do not', async () => {
  const listed = [{ name: 'preact', version: '11.2.0', identifier: 'MIT' }]
  const isShipped = isShippedIn(new Map([['console/licenses.json', Buffer.from(JSON.stringify(listed))]]))
  const failed = ['preact', 'pagefind', 'pg', 'vitest', 'turbo'].filter(
    (name) => !check(reportWith(vulnerable(name, 'critical')), isShipped).isAcceptable,
  )
  expect(failed).toEqual(['preact', 'pagefind', 'pg'])
})

test('a package that only needs a vulnerable one does not count', () => {
  const preact = { severity: 'high', via: ['vitest'], range: '*', nodes: ['node_modules/preact'] }
  expect(check(reportWith({ preact })).isAcceptable).toBe(true)
})

test('npm audit is asked about all packages, because those of the pages are of the build alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-npm-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'npm'), '#!/bin/sh\necho "$@"\n')
  await chmod(join(folder, 'npm'), 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(readAuditReport()).toMatch(/^audit --json (?!.*(--omit|--only|--production))/)
})

test.each([
  '405 Method Not Allowed - POST https://registry.example/-/npm/v1/security/advisories/bulk',
  'request to https://registry.example/ failed, reason: connect ECONNREFUSED 127.0.0.1:9',
])('a registry that does not answer passes: %s', (message) =>
  expect(check(JSON.stringify({ message, error: {} }))).toEqual({
    isAcceptable: true,
    text: `The registry does not answer npm audit: nothing was checked (${message}).`,
  }),
)

test.each(['', 'npm error', '{"error":{"code":"ENOLOCK"}}', reportOf('high').slice(0, -1)])(
  'another failure of npm audit fails: %j',
  (output) =>
    expect(check(output)).toEqual({
      isAcceptable: false,
      text: `npm audit has failed: ${output || 'no output'}`,
    }),
)
