// What an administrator names that does not exist, or has ended.
import { expect, test } from 'vitest'
import { register } from '../kit/relying-party.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const { operator } = service
const reason = 'Ticket 4711'
const approval = { approval_id: 'apr_unknown' }
const partner = { partner_code: 'UNKNOWN' }

test.each([
  ['readApproval', () => operator('readApproval', { path: approval })],
  ['grantApproval', () => operator('grantApproval', { path: approval, query: { reason } })],
  ['returnApproval', () => operator('returnApproval', { path: approval, body: { reason } })],
  [
    'acknowledgeAnomaly',
    () => operator('acknowledgeAnomaly', { path: { anomaly_id: 'ano_unknown' }, query: { reason } }),
  ],
  ['readPartnerFigures', () => operator('readPartnerFigures', { path: partner, query: {} })],
  ['readSignInRegistration', () => operator('readSignInRegistration', { path: partner })],
  ['setSignInRegistration', () => register(operator, partner.partner_code)],
])('404: %s of what does not exist', async (_id, call) => {
  expect((await refusal(call())).code).toBe('not_found')
})

test('409: an approval is returned once', async () => {
  const path = { approval_id: await service.askToSuspend((await service.partner()).code) }
  const token = await service.tokens.operator('approvals:write partners:write', undefined, 'second')
  const giveBack = () =>
    service.send('returnApproval', { path, headers: { Authorization: `Bearer ${token}` }, json: { reason } })
  expect((await giveBack()).status).toBe(200)
  const again = await giveBack()
  expect([again.status, await again.json()]).toMatchObject([409, { error: 'approval_not_pending' }])
})
