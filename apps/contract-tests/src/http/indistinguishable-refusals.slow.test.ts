// A partner cannot distinguish an unknown value from one that the citizen has blocked.
import { DefaultQueryExecutor, sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { diagnose } from '../kit/diagnoses.ts'
import { comparable } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import type { Citizen, Partner } from '../kit/users.ts'
import { secretsOf } from '../kit/valid-requests.ts'

/** A separate service, because the test moves the clock. */
const service = await startServiceForFile({})

type Prepared = { citizen: Citizen; partner: Partner; value: string }

const OPERATIONS: Record<
  string,
  {
    table: string
    prepare: (partner: Partner, citizen: Citizen) => Promise<string>
    send: (presented: Prepared) => Promise<Response>
  }
> = {
  requestAuthorization: {
    table: 'qr_code',
    prepare: (_partner, citizen) => citizen.showQr(),
    send: ({ partner, value }) => {
      const { body, headers } = json({ qr_value: value })
      return service.send('requestAuthorization', { body, headers: { ...partner.headers, ...headers } })
    },
  },
  profileByQr: {
    table: 'qr_code',
    prepare: (_partner, citizen) => citizen.showQr('share'),
    send: ({ partner, value }) =>
      service.send('profileByQr', { headers: partner.headers, query: `qr_value=${value}` }),
  },
  'profileByQr with a value made for inquire': {
    table: 'qr_code',
    prepare: (_partner, citizen) => citizen.showQr('inquire'),
    send: ({ partner, value }) =>
      service.send('profileByQr', { headers: partner.headers, query: `qr_value=${value}` }),
  },
  generateToken: {
    table: 'exchange_code',
    prepare: (partner, citizen) => citizen.exchangeCode(partner.code),
    send: ({ partner, value }) =>
      service.send(
        'generateToken',
        json({ ...secretsOf(partner), scope: 'SSO_AUTHENTICATION', exchange_code: value }),
      ),
  },
  authenticate: {
    table: 'access_token',
    prepare: async (partner, citizen) => partner.sso.generateToken(await citizen.exchangeCode(partner.code)),
    send: ({ value }) => service.send('authenticate', { headers: { Authorization: `Bearer ${value}` } }),
  },
}

/** The changes to the newest value of the table before the partner sends it. */
const FATES: Record<string, (presented: Prepared, table: string) => Promise<unknown>> = {
  unknown: (_given, table) =>
    sql`delete from ${sql.table(table)} where id = (select max(id) from ${sql.table(table)})`.execute(
      service.db,
    ),
  blocked: ({ citizen, partner }) => citizen.setPreferences({ blocked_partners: [partner.code] }),
  frozen: ({ citizen }) => citizen.setPreferences({ frozen: true }),
  erased: ({ citizen }) => service.operator('eraseCitizen', { path: { uniqid: citizen.uniqid } }),
}

describe.each(Object.entries(OPERATIONS))('%s', (_name, { table, prepare, send }) => {
  async function observe(presented: Prepared) {
    const execute = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery')
    const response = await send(presented)
    // Other statements look up the partner, or run in the background.
    const statements = execute.mock.calls
      .map(([{ sql: text }]) => text)
      .filter((text) => text.includes(table) && !/delete|recordset/.test(text))
    execute.mockRestore()
    const requestId = response.headers.get('x-request-id')!
    const { request_id: _id, occurred_at: _at, ...diagnosis } = await diagnose(presented.partner, requestId)
    return {
      status: response.status,
      ...(await comparable(response)),
      statements: statements.length,
      diagnosis,
    }
  }

  test('unknown, blocked, frozen and erased values are indistinguishable, also once expired', async () => {
    const outcomes = new Map<string, unknown>()
    const prepared: [string, Prepared][] = []
    const partner = await service.partner()
    for (const [fate, apply] of Object.entries(FATES)) {
      const citizen = await service.citizen()
      const presented = { partner, citizen, value: await prepare(partner, citizen) }
      await apply(presented, table)
      prepared.push([fate, presented])
      outcomes.set(fate, await observe(presented))
    }
    await service.advance(400)
    for (const [fate, presented] of prepared) outcomes.set(`${fate}, expired`, await observe(presented))
    const [first] = outcomes.values()
    expect(first).toMatchObject({
      status: expect.any(Number),
      statements: expect.toSatisfy((count: number) => count > 0),
    })
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries([...outcomes.keys()].map((fate) => [fate, first])),
    )
  })
})
