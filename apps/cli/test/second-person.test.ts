import { basePathOf } from '@tiwala/kit/operations'
import { createCitizen, operatorApi } from '@tiwala/kit/users'
import { startService } from '@tiwala/server/testing'
import { afterAll, expect, inject, test } from 'vitest'
import { createCommand, tiwala } from './tiwala.ts'

const service = await startService(inject('engine'), {
  TIWALA_SECOND_PERSON: 'suspension, erasure, scope',
})
afterAll(() => service.close())
const url = service.url + basePathOf('operator')
const [first, second] = await Promise.all(
  ['first', 'second'].map((subject) => service.tokens.operator(undefined, undefined, subject)),
)
const run = (token: string, argv: string[], options = {}) =>
  tiwala(argv, { env: { TIWALA_OPERATOR_URL: url, TIWALA_OPERATOR_TOKEN: token }, ...options })

const WAITS = /This waits for a second person, who reads and grants it: tiwala approval grant (apr_\w{22})$/m

test('a command that waits says so, and its approval can be granted, returned and withdrawn', async () => {
  const reason = ['--reason', 'Ticket 1']
  const created = await run(first!, [...createCommand('WAITS'), ...reason])
  expect([created.exitCode, created.stdout]).toEqual([0, expect.stringContaining('TIWALA_SECRET_TOKEN=')])
  const [, scopes] = WAITS.exec(created.stderr)!
  const unconfirmed = await run(second!, ['approval', 'grant', scopes!])
  expect([unconfirmed.exitCode, unconfirmed.stderr]).toEqual([2, expect.stringContaining('add --yes')])
  expect((await run(second!, ['approval', 'grant', scopes!, '--yes'])).exitCode).toBe(0)

  const suspend = ['partner', 'suspend', 'WAITS']
  const refused = await run(first!, [...suspend, '--yes'])
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('reason')])
  const asked = await run(first!, [...suspend, ...reason], { isTTY: true, stdin: 'WAITS\n' })
  expect([asked.exitCode, asked.stdout]).toEqual([0, expect.stringContaining('PENDING')])
  const [, suspension] = WAITS.exec(asked.stderr)!
  const withdrawn = await run(first!, ['approval', 'withdraw', suspension!])
  expect([withdrawn.exitCode, withdrawn.stdout]).toEqual([0, expect.stringContaining('WITHDRAWN')])

  await createCitizen(operatorApi(url, first!), 'WAITS-1')
  const erase = ['citizen', 'erase', 'WAITS-1', ...reason]
  expect((await run(first!, erase)).exitCode).toBe(2)
  const erasure = await run(first!, [...erase, '--yes', '--json'])
  expect([erasure.exitCode, JSON.parse(erasure.stdout)]).toMatchObject([
    0,
    { kind: 'erasure', uniqid: 'WAITS-1' },
  ])
  const [, id] = WAITS.exec(erasure.stderr)!
  expect((await run(first!, ['approval', 'grant', id!, '--yes'])).exitCode).toBe(1)
  expect((await run(second!, ['approval', 'return', id!, ...reason])).exitCode).toBe(0)
})
