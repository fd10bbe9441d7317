// The citizen app of a sandbox: the page to which the link of a sign-in by OpenID Connect leads.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { arrive, authorizationUrl } from '../kit/relying-party.ts'
import { createSandbox } from '../kit/sandbox.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const { url, db } = await startServiceForFile()

type SignIn = { state: string; is_own: boolean; items: string[]; optional_items: string[]; shared: string[] }

/** The link of a sign-in of a new sandbox, and what the form of its page sends. */
async function beginSignIn() {
  const sandbox = await createSandbox(url)
  const { partner_code } = sandbox.partner
  const visit = await arrive(url, authorizationUrl(url, partner_code, `${url}/sandbox/signed-in`))
  const address = `${url}/sandbox/phone`
  const send = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ code: visit.link(), ...fields })
    return fetch(address, { method: 'POST', body, headers: { Origin: url }, redirect: 'manual' })
  }
  const readPage = async () => (await fetch(`${address}?code=${visit.link()}`)).text()
  const errorOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { error: string }).error,
  ]
  return { sandbox, send, readPage, errorOf }
}

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

test('409: after an approval, the citizen can go on, and no longer decline', async () => {
  const { send, readPage, errorOf } = await beginSignIn()
  const approved = await send({ answer: 'approve' })
  const returnUrl = approved.headers.get('location')!
  expect([approved.status, returnUrl]).toEqual([303, expect.stringContaining('/return?nonce=')])
  const page = await readPage()
  expect(page).toContain('This sign-in request is approved.')
  expect(page).toContain(`href="${returnUrl}"`)
  expect(page).not.toContain('<button')
  expect(await errorOf(await send({ answer: 'decline' }))).toEqual([409, 'authorization_not_pending'])
  // The second click of a visitor who clicks twice.
  expect((await send({ answer: 'approve' })).headers.get('location')).toBe(returnUrl)
})

test('409: after a refusal, the citizen can no longer approve, and can go back to the browser', async () => {
  const { send, readPage, errorOf } = await beginSignIn()
  const declined = await send({ answer: 'decline' })
  expect(declined.headers.get('location')).toMatch(/\/oidc\/sign-in\/[\w-]+$/)
  const page = await readPage()
  expect(page).toContain('This sign-in request is declined.')
  expect(page).toContain(`href="${declined.headers.get('location')}"`)
  expect(await errorOf(await send({ answer: 'approve' }))).toEqual([409, 'authorization_not_pending'])
})

test('303: an answer that came too late leads back to the page in the browser', async () => {
  const { sandbox, send, readPage } = await beginSignIn()
  await readPage()
  await sql`
    update sign_in_request r set expires_at = clock_now() from partner p
     where p.id = r.partner_id and p.partner_code = ${sandbox.partner.partner_code}`.execute(db)
  expect((await send({ answer: 'approve' })).headers.get('location')).toMatch(/\/oidc\/sign-in\/[\w-]+$/)
  expect(await readPage()).toContain('This sign-in request is expired.')
})

test('409, 422: a refused approval has the code of its reason', async () => {
  const { sandbox, send, errorOf } = await beginSignIn()
  const altered = await send({ answer: 'approve', phone_number: 'on' })
  expect(await errorOf(altered)).toEqual([422, 'validation_failed'])
  const body = { frozen: true, blocked_partners: [] }
  // The page answers for one of them.
  const manual = sandbox.citizens.filter(({ behavior }) => behavior === 'manual')
  for (const { token } of manual) await sandbox.app(token)('replacePreferences', { body })
  expect(await errorOf(await send({ answer: 'approve' }))).toEqual([409, 'refused_by_preferences'])
})
