// The citizen app of a sandbox: the page to which the link of a sign-in by OpenID Connect leads.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { arrive, authorizationUrl } from '../kit/relying-party.ts'
import { createSandbox } from '../kit/sandbox.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const { url, db } = await startServiceForFile()

type SignIn = { state: string; is_own: boolean; items: string[]; optional_items: string[]; shared: string[] }

test.each([
  ['approve', ['picture', 'email'], 'APPROVED'],
  ['approve', ['email'], 'APPROVED'],
  ['approve', [], 'APPROVED'],
  ['decline', ['email'], 'DECLINED'],
])('303: %s, with %j, for a citizen of the own sandbox', async (answer, chosen, state) => {
  const { partner } = await createSandbox(url)
  const code = partner.partner_code
  const visit = await arrive(url, authorizationUrl(url, code, `${url}/sandbox/signed-in`))
  const page = await (await fetch(`${url}/sandbox/phone?code=${visit.link()}`)).text()
  const body = new URLSearchParams({ code: visit.link(), answer })
  // As the browser sends the checkboxes that stay checked.
  for (const [, item] of page.matchAll(/type="checkbox" name="(\w+)" checked/g))
    if (chosen.includes(item!)) body.append(item!, 'on')
  const init = { method: 'POST', body, headers: { Origin: url }, redirect: 'manual' as const }
  expect((await fetch(`${url}/sandbox/phone`, init)).status).toBe(303)
  const { rows } = await sql<SignIn>`
    select r.state, s.partner_id = r.partner_id as is_own, r.items, r.optional_items,
           coalesce(r.shared_items, '{}') as shared
      from sign_in_request r join partner p on p.id = r.partner_id
      join sandbox_citizen m on m.citizen_id = r.citizen_id join sandbox s on s.id = m.sandbox
     where p.partner_code = ${code}`.execute(db)
  const { items, optional_items, shared, ...row } = rows[0]!
  expect([rows.length, row, optional_items]).toEqual([1, { state, is_own: true }, ['picture', 'email']])
  expect(shared).toEqual(answer === 'approve' ? [...items, ...chosen] : [])
})
