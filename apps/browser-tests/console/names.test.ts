// A person reads names: of partners, and of administrators, whose `sub` can be a UUID.
import { createPartnerClient, type TiwalaError } from '@tiwala/client'
import {
  type CitizenAppOperations,
  type OperatorOperations,
  routes,
  type WorkbenchOperations,
} from '@tiwala/contract'
import operatorDocument from '@tiwala/contract/operator.json' with { type: 'json' }
import workbenchDocument from '@tiwala/contract/workbench.json' with { type: 'json' }
import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import { createTransport } from '@tiwala/transport'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { look, openConsoleOf, signInTo } from './console-page.ts'

const NAME = 'Mabini Bank Incorporated'
const SUB = '8f14e45f-ea5b-4d2c-9c1b-2d0f6a7b8c9d'
const PERSON = 'ana@tiwala.example'

const { url, db, tokens, signIn } = await startServiceForFile({
  TIWALA_SECOND_PERSON: 'settings, suspension',
})
const operator = createTransport<OperatorOperations>(routes.operator, {
  baseUrl: url + new URL(operatorDocument.servers[0]!.url).pathname,
  headers: { Authorization: `Bearer ${await tokens.operator(undefined, undefined, SUB)}` },
})

/** A partner that is in each list, where an administrator asked, decided and acknowledged. */
async function prepare() {
  await sql`insert into operator_seen (subject, name, scopes) values (${SUB}, ${PERSON}, '')`.execute(db)
  const sandbox = (await (await fetch(`${url}/sandbox`, { method: 'POST' })).json()) as CreatedSandbox
  const { secret_code: secretCode, secret_token: secretToken, partner_code } = sandbox.partner
  await operator('changePartner', { path: { partner_code }, body: { name: NAME } })

  const profiles = createPartnerClient({ baseUrl: url, secretCode, secretToken, maxRetries: 0 })
  const citizen = sandbox.citizens.find(({ behavior }) => behavior === 'ignores')!
  const app = createTransport<CitizenAppOperations>(routes['citizen-app'], {
    baseUrl: sandbox.citizen_url,
    headers: { Authorization: `Bearer ${citizen.token}` },
  })
  const showQr = async (purpose: 'inquire' | 'share') =>
    (await app('issueQrCode', { body: { purpose } })).body.qr_value
  await profiles.requestAuthorization(await showQr('inquire'))
  const { requestId } = await profiles.profileByQr(await showQr('share'))
  await app('disputeDisclosure', { path: { disclosure_id: requestId } })
  const refused = await profiles
    .requestAuthorization(`TWQ1${'0'.repeat(32)}`)
    .catch((error: unknown) => error as TiwalaError)
  await operator('testCallback', { path: { partner_code } })

  const member = createTransport<WorkbenchOperations>(routes.workbench, {
    baseUrl: url + new URL(workbenchDocument.servers[0]!.url).pathname,
    headers: (await signIn(partner_code)).headers,
  })
  await member('changeSettings', { body: { sso_url: 'https://new.example/sso' } })
  const { approval_id } = (await operator('listApprovals', { query: { partner_code } })).body.approvals[0]!
  await operator('grantApproval', { path: { approval_id } })
  await operator('suspendPartner', { path: { partner_code }, query: { reason: 'Ticket 4711' } })

  const goingLive = {
    status: 'ACCEPTED',
    report_id: 'report-1',
    written_at: '2026-11-20T09:00:00.000Z',
    decided_at: '2026-11-20T10:00:00.000Z',
    decided_by: SUB,
    reason: null,
  }
  await sql`
    update partner set going_live = ${JSON.stringify(goingLive)}::jsonb where partner_code = ${partner_code}`.execute(
    db,
  )
  await sql`
    insert into anomaly (anomaly_id, partner_id, kind, expected, threshold, observed, address_ranges,
                         acknowledged_by, acknowledged_at)
    select ${`ano_${'0'.repeat(22)}`}, id, 'rate', 120, 481, 1340, '{}', ${SUB}, clock_now()
      from partner where partner_code = ${partner_code}`.execute(db)
  await sql`
    insert into partner_use (partner_id, kind, name, first_used_on, last_used_on)
    select id, 'client', 'curl', clock_now(), clock_now() from partner where partner_code = ${partner_code}`.execute(
    db,
  )
  return { code: partner_code, citizen: citizen.uniqid, refusedId: (refused as TiwalaError).requestId! }
}

test('each list shows the name of the partner beside its code, and the name of an administrator', async () => {
  const { code, citizen, refusedId } = await prepare()
  const page = await openConsoleOf(url, PHONE)
  await signInTo(url, page, 'administrator')
  const partners = page.getByRole('link', { name: NAME, exact: true })

  for (const view of ['partners', 'use', 'anomalies', 'approvals', 'deliveries', 'disputes']) {
    await page.goto(`${url}/console/#/${view}`)
    const row = page.getByRole('row', { name: code }).first()
    const href = await row.getByRole('link', { name: NAME, exact: true }).getAttribute('href')
    expect([view, href]).toEqual([view, `#/partners/${code}`])
    await look(page, `names-${view}`)
  }
  // The service stores requests every few seconds.
  await expect
    .poll(
      () =>
        operator('readPartnerRequest', { path: { request_id: refusedId } }).then(
          ({ status }) => status,
          () => undefined,
        ),
      { timeout: 20_000 },
    )
    .toBe(200)
  await page.goto(`${url}/console/#/refusals/${refusedId}`)
  await page.getByText(`Of the partner ${NAME}`).getByText(code).waitFor()

  await page.goto(`${url}/console/#/citizens`)
  await page.getByLabel('Identifier').fill(citizen)
  await page.getByLabel('Why you look, for the audit').fill('Ticket 4711')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('table', { name: 'Disputes' }).waitFor()
  expect(await partners.count()).toBe(3)
  await look(page, 'names-citizen')

  await page.goto(`${url}/console/#/anomalies`)
  await page.getByText(`Acknowledged by ${PERSON} ${SUB}`).waitFor()
  await page.goto(`${url}/console/#/approvals`)
  await page.getByRole('link', { name: 'Suspend' }).click()
  await page.getByRole('heading', { name: `Suspend ${NAME}` }).waitFor()
  await page.getByText(`${PERSON} ${SUB}, `).waitFor()
  await look(page, 'names-approval')
  // The confirmation is the code.
  await page.getByRole('button', { name: 'Grant' }).click()
  await page
    .getByRole('dialog', { name: `Grant: Suspend ${NAME}` })
    .getByLabel(`Type ${code} to confirm`)
    .waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${url}/console/#/approvals`)
  await page.getByRole('link', { name: 'SSO URL' }).click()
  await page.getByRole('heading', { name: `A change of ${NAME}` }).waitFor()
  await page.getByText(`${PERSON} ${SUB}, `).waitFor()
  await page.goto(`${url}/console/#/partners/${code}`)
  await page.getByText(`by ${PERSON} ${SUB}`).waitFor()
})
