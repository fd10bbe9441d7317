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
    await tiwalaJson('partner', 'change', code, '--limit-per-day', 'null', '--ip-allow-list', 'none')
    expect(await tiwalaJson('partner', 'show', code)).toMatchObject({
      limits: { per_day: null },
      ip_allow_list: [],
    })
    const { stdout } = await tiwala(['partner', 'suspend', code])
    expect(stdout).toMatch(/^status +SUSPENDED$/m)
  })
})

describe('a list', () => {
  test('--all shows all pages; without it, a message says that there are more results', async () => {
    for (let count = 0; count < 3; count++) await createPartner()
    const all = (await tiwalaJson('partner', 'list', '--limit', '100')) as { partners: object[] }
    const argv = ['partner', 'list', '--all', '--limit', '2']
    const lines = (await tiwala([...argv, '--json'])).stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(all.partners)
    expect((await tiwala(argv)).stdout.trimEnd().split('\n')).toHaveLength(all.partners.length + 1)
    expect((await tiwala(['partner', 'list', '--limit', '2'])).stderr).toMatch(/--all shows everything/)
  })

  test('an empty list prints a message to standard error', async () => {
    const { exitCode, stdout, stderr } = await tiwala(['partner', 'list', '--q', 'no partner has this name'])
    expect([exitCode, stdout, stderr]).toEqual([0, '', '"partner list" found no results.\n'])
  })
})
