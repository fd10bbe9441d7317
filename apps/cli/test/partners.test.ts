import { partnerApi, secretHeaders } from '@tiwala/kit/users'
import { TiwalaError } from '@tiwala/transport'
import { describe, expect, inject, test } from 'vitest'
import { createCommand, createPartner, tiwala, tiwalaJson } from './tiwala.ts'

/** The environment variables of a partner that pasted the block. */
const parseEnv = (block: string): Record<string, string> =>
  Object.fromEntries([...block.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name!, value!]))

const partnerOf = (env: Record<string, string>) =>
  partnerApi(
    env['TIWALA_BASE_URL']!,
    secretHeaders({
      secret_code: env['TIWALA_SECRET_CODE']!,
      secret_token: env['TIWALA_SECRET_TOKEN']!,
    }),
  )

describe('a new partner', () => {
  test('the printed secrets work with the partner API, and no other command prints them', async () => {
    const argv = [
      '--name',
      'Hotel',
      '--purpose',
      'To test.',
      '--scope',
      'PROFILE_INQUIRE',
      '--scope',
      'SSO_AUTHENTICATION',
    ]
    const { exitCode, stdout, stderr } = await tiwala(['partner', 'create', '--code', 'PASTED', ...argv])
    expect([exitCode, stderr]).toEqual([0, ''])
    const env = parseEnv(stdout)
    expect(Object.keys(env)).toHaveLength(7)
    const { origin } = new URL(inject('operatorUrl'))
    expect(env).toMatchObject({ TIWALA_BASE_URL: origin, TIWALA_AUTH_URL: origin })
    expect((await partnerOf(env)('readPartnerSelf', {})).body.data).toMatchObject({
      partner_code: 'PASTED',
      scopes: ['PROFILE_INQUIRE', 'SSO_AUTHENTICATION'],
    })
    // If only the exchange code is refused, the secret is right.
    const body = {
      partner_code: env['TIWALA_PARTNER_CODE']!,
      partner_secret: env['TIWALA_PARTNER_SECRET']!,
      scope: 'SSO_AUTHENTICATION',
      exchange_code: 'twx_wrong',
    } as const
    const refused = await partnerOf(env)('generateToken', { body }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(TiwalaError)
    expect((refused as TiwalaError).code).toBe('exchange_code_invalid')

    const laterOutputs = [
      await tiwala(['partner', 'show', 'PASTED', '--json']),
      await tiwala(['credential', 'list', 'PASTED', '--json']),
    ]
    for (const name of ['TIWALA_SECRET_TOKEN', 'TIWALA_PARTNER_SECRET', 'TIWALA_WEBHOOK_SECRET'])
      for (const output of [
        stdout.replace(env[name]!, ''),
        ...laterOutputs.map((outcome) => outcome.stdout + outcome.stderr),
      ])
        expect(output).not.toContain(env[name])
  })

  test('a rotated secret is printed in the same format, and works', async () => {
    const { stdout } = await tiwala(createCommand('ROTATED'))
    const rotated = await tiwala([
      'credential',
      'rotate',
      'ROTATED',
      '--kind',
      'secret_token',
      '--grace-days',
      '0',
      '--yes',
    ])
    const env = { ...parseEnv(stdout), ...parseEnv(rotated.stdout) }
    expect((await partnerOf(env)('readPartnerSelf', {})).status).toBe(200)
    const webhook = await tiwala(['webhook-secret', 'rotate', 'ROTATED', '--grace-days', '7'])
    expect(parseEnv(webhook.stdout)['TIWALA_WEBHOOK_SECRET']).toMatch(/^whsec_/)
  })

  test('options set lists, numbers, null and fields of an object', async () => {
    const code = await createPartner()
    await tiwalaJson(
      'partner',
      'change',
      code,
      '--limit-per-day',
      '5',
      '--ip-allow-list',
      '10.0.0.0/8',
      '--ip-allow-list',
      '::1/128',
    )
    expect(await tiwalaJson('partner', 'show', code)).toMatchObject({
      limits: { per_day: 5 },
      ip_allow_list: ['10.0.0.0/8', '::1/128'],
    })
    await tiwalaJson('partner', 'change', code, '--limit-per-day', 'null', '--ip-allow-list', 'none', '--yes')
    expect(await tiwalaJson('partner', 'show', code)).toMatchObject({
      limits: { per_day: null },
      ip_allow_list: [],
    })
  })
})

const REGISTRATION = [
  ...'--redirect-uri https://a.example/ --post-logout-redirect-uri none --profile standard'.split(' '),
  ...'--id-token-signed-response-alg RS256 --key none --jwks-url null --purpose'.split(' '),
  '{"name":"default","text":"To test.","items":["given_name"],"optional_items":[],"minimum_acr":null}',
]

describe('a command that takes access away at once, or gives more of it', () => {
  test.each([
    ['partner suspend', (code: string) => ['partner', 'suspend', code]],
    ['partner change --scope', (code: string) => ['partner', 'change', code, '--scope', 'PROFILE_VIEW']],
    [
      'partner change --ip-allow-list none',
      (code: string) => ['partner', 'change', code, '--ip-allow-list', 'none'],
    ],
    [
      'partner change --sso-url',
      (code: string) => ['partner', 'change', code, '--sso-url', 'https://a.example/'],
    ],
    ['partner resume', (code: string) => ['partner', 'resume', code]],
    [
      'partner set-callback',
      (code: string) => ['partner', 'set-callback', code, '--callback-url', 'https://a.example/'],
    ],
    ['sign-in-registration set', (code: string) => ['sign-in-registration', 'set', code, ...REGISTRATION]],
    [
      'credential rotate --grace-days 0',
      (code: string) => ['credential', 'rotate', code, '--kind', 'secret_token', '--grace-days', '0'],
    ],
    [
      'webhook-secret rotate --grace-days 0',
      (code: string) => ['webhook-secret', 'rotate', code, '--grace-days', '0'],
    ],
  ])('%s asks for the partner code, or needs --yes', async (_name, argvOf) => {
    const code = await createPartner()
    const show = async () => [
      await tiwalaJson('partner', 'show', code),
      await tiwalaJson('credential', 'list', code),
    ]
    const before = await show()
    expect(await tiwala(argvOf(code))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('add --yes'),
    })
    const wrong = await tiwala(argvOf(code), { stdin: 'yes\n', isTTY: true })
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`Type ${code} to confirm: `) })
    expect(await show()).toEqual(before)
    expect((await tiwala(argvOf(code), { stdin: `${code}\n`, isTTY: true })).exitCode).toBe(0)
    expect((await tiwala([...argvOf(code), '--yes'])).exitCode).toBe(0)
  })

  test('other changes of a partner do not ask', async () => {
    const code = await createPartner()
    expect((await tiwala(['partner', 'change', code, '--purpose', 'To test again.'])).exitCode).toBe(0)
  })

  test('the audit keeps the reason', async () => {
    const code = await createPartner()
    await tiwalaJson('partner', 'suspend', code, '--yes', '--reason', 'Ticket 4711: leaked secret')
    const { events } = (await tiwalaJson('audit', 'events', '--partner-code', code, '--limit', '1')) as {
      events: object[]
    }
    expect(events).toMatchObject([{ kind: 'partner.suspended', reason: 'Ticket 4711: leaked secret' }])
  })
})

describe('a list', () => {
  test('--all shows all pages; without it, a message says that there are more results', async () => {
    for (let count = 0; count < 3; count++) await createPartner()
    // Other processes make partners of the same service meanwhile.
    const list = ['partner', 'list', '--q', `_${process.pid}`]
    const all = (await tiwalaJson(...list, '--limit', '100')) as { partners: object[] }
    const argv = [...list, '--all', '--limit', '2']
    const lines = (await tiwala([...argv, '--json'])).stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(all.partners)
    expect((await tiwala(argv)).stdout.trimEnd().split('\n')).toHaveLength(all.partners.length + 1)
    expect((await tiwala([...list, '--limit', '2'])).stderr).toMatch(/--all shows everything/)
  })

  test('an empty list prints a message to standard error', async () => {
    const { exitCode, stdout, stderr } = await tiwala(['partner', 'list', '--q', 'no partner has this name'])
    expect([exitCode, stdout, stderr]).toEqual([0, '', '"partner list" found no results.\n'])
  })
})

describe('a partner that another administrator has changed', () => {
  test('exit code 1: --if-match refuses the change, and says to read again', async () => {
    const code = await createPartner()
    const shown = await tiwala(['partner', 'show', code])
    const [, etag] = /^etag\s+(".+")$/m.exec(shown.stdout)!
    expect((await tiwala(['partner', 'show', code, '--json'])).stderr).toBe(`ETag: ${etag}\n`)
    const change = (...more: string[]) =>
      tiwala(['partner', 'change', code, '--limit-per-day', `${++limit}`, ...more])
    let limit = 0
    expect((await change()).exitCode).toBe(0)
    const { exitCode, stderr } = await change('--if-match', etag!)
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/precondition_failed.*Read it again/)])
    expect(await tiwalaJson('partner', 'show', code)).toMatchObject({ limits: { per_day: 1 } })
  })
})
