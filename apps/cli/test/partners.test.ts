import { type PartnerOperations, routes } from '@tiwala/contract'
import { createTransport, TiwalaError } from '@tiwala/transport'
import { describe, expect, test } from 'vitest'
import { tiwalaJson, createPartner, tiwala } from './tiwala.ts'

/** What a partner has in its environment after pasting. */
const pasted = (block: string): Record<string, string> =>
  Object.fromEntries([...block.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name!, value!]))

function partnerApi(env: Record<string, string>) {
  const headers = { 'X-Secret-Code': env['TIWALA_SECRET_CODE']!, 'X-Secret-Token': env['TIWALA_SECRET_TOKEN']! }
  return createTransport<PartnerOperations>(routes.partner, { baseUrl: env['TIWALA_BASE_URL']!, headers })
}

describe('a new partner', () => {
  test('what is printed once, pasted, opens the partner API; nothing prints it again', async () => {
    const argv = ['--name', 'Hotel', '--purpose', 'To test.', '--scope', 'PROFILE_INQUIRE', '--scope', 'SSO_AUTHENTICATION']
    const { exitCode, stdout, stderr } = await tiwala(['partner', 'create', '--code', 'PASTED', ...argv])
    expect([exitCode, stderr]).toEqual([0, ''])
    const env = pasted(stdout)
    expect(Object.keys(env)).toHaveLength(7)
    expect((await partnerApi(env)('readPartnerSelf', {})).body.data).toMatchObject({
      partner_code: 'PASTED',
      scopes: ['PROFILE_INQUIRE', 'SSO_AUTHENTICATION'],
    })
    // The secret is right where only the code is wrong.
    const body = {
      partner_code: env['TIWALA_PARTNER_CODE']!,
      partner_secret: env['TIWALA_PARTNER_SECRET']!,
      scope: 'SSO_AUTHENTICATION',
      exchange_code: 'twx_wrong',
    } as const
    const refused = await partnerApi(env)('generateToken', { body }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(TiwalaError)
    expect((refused as TiwalaError).code).toBe('exchange_code_invalid')

    const later = [await tiwala(['partner', 'show', 'PASTED', '--json']), await tiwala(['credential', 'list', 'PASTED', '--json'])]
    for (const name of ['TIWALA_SECRET_TOKEN', 'TIWALA_PARTNER_SECRET', 'TIWALA_WEBHOOK_SECRET'])
      for (const said of [stdout.replace(env[name]!, ''), ...later.map((each) => each.stdout + each.stderr)])
        expect(said).not.toContain(env[name])
  })

  test('a rotated secret is handed over in the same way, and works', async () => {
    const { stdout } = await tiwala(['partner', 'create', '--code', 'ROTATED', '--name', 'R', '--purpose', 'P', '--scope', 'PROFILE_VIEW'])
    const rotated = await tiwala(['credential', 'rotate', 'ROTATED', '--kind', 'secret_token', '--grace-days', '0'])
    const env = { ...pasted(stdout), ...pasted(rotated.stdout) }
    expect((await partnerApi(env)('readPartnerSelf', {})).status).toBe(200)
    const webhook = await tiwala(['webhook-secret', 'rotate', 'ROTATED', '--grace-days', '7'])
    expect(pasted(webhook.stdout)['TIWALA_WEBHOOK_SECRET']).toMatch(/^whsec_/)
  })

  test('options become what the document calls them: lists, numbers, null, parts of an object', async () => {
    const code = await createPartner()
    await tiwalaJson('partner', 'change', code, '--limit-per-day', '5', '--ip-allow-list', '10.0.0.0/8', '--ip-allow-list', '::1/128')
    expect(await tiwalaJson('partner', 'show', code)).toMatchObject({ limits: { per_day: 5 }, ip_allow_list: ['10.0.0.0/8', '::1/128'] })
    await tiwalaJson('partner', 'change', code, '--limit-per-day', 'null', '--ip-allow-list', 'none')
    expect(await tiwalaJson('partner', 'show', code)).toMatchObject({ limits: { per_day: null }, ip_allow_list: [] })
    const { stdout } = await tiwala(['partner', 'suspend', code])
    expect(stdout).toMatch(/^status +SUSPENDED$/m)
  })
})

describe('a list', () => {
  test('--all follows the pages; a page tells that there is more', async () => {
    for (let made = 0; made < 3; made++) await createPartner()
    const all = (await tiwalaJson('partner', 'list', '--limit', '100')) as { partners: object[] }
    const argv = ['partner', 'list', '--all', '--limit', '2']
    const lines = (await tiwala([...argv, '--json'])).stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(all.partners)
    expect((await tiwala(argv)).stdout.trimEnd().split('\n')).toHaveLength(all.partners.length + 1)
    expect((await tiwala(['partner', 'list', '--limit', '2'])).stderr).toMatch(/--all shows everything/)
  })

  test('an empty one says so, beside the result', async () => {
    const { exitCode, stdout, stderr } = await tiwala(['partner', 'list', '--q', 'nobody is called this'])
    expect([exitCode, stdout, stderr]).toEqual([0, '', 'There is nothing for "partner list".\n'])
  })
})
