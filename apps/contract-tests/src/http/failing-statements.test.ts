import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { prepareRequest } from '../kit/prepared-request.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})

await sql`
  create function fail() returns trigger language plpgsql
      as 'begin raise exception using errcode = tg_argv[0]; end'`.execute(service.db)

/** Runs `act` while every statement that writes an audit row fails with this SQLSTATE. */
async function whileStatementsFail<T>(code: string, act: () => Promise<T>): Promise<T> {
  await sql`
    create trigger failing before insert on audit_event
       for each statement execute function fail(${sql.lit(code)})`.execute(service.db)
  return act().finally(() => sql`drop trigger failing on audit_event`.execute(service.db))
}

describe.each(['requestAuthorization', 'profileByQr', 'generateToken', 'authenticate'] as const)(
  '%s',
  (id) => {
    test.each([
      [500, 'internal_error', 'XX000'],
      [503, 'unavailable', '55P03'],
    ] as const)(
      '%i: %s after the request was counted shows the rate limit, and uses nothing',
      async (status, error, code) => {
        const request = await prepareRequest(service, id)
        const response = await whileStatementsFail(code, request.send)
        // The text of the database's error is in the log only.
        const { message } = catalogue[error]
        expect(await errorBody(response.clone())).toMatchObject({ status, error, message })
        expect(response.headers.get('ratelimit')).toMatch(/; r=\d+; t=\d+$/)
        expect(await request.stillWorks()).toBe(200)
      },
    )
  },
)

const blockedStatements = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
  return rows[0]!.count
}

describe('authenticate', () => {
  test('401: the token was used after the request was counted; it shows the rate limit', async () => {
    const request = await prepareRequest(service, 'authenticate')
    const { sent } = await service.db.transaction().execute(async (tx) => {
      await sql`update access_token set used_at = clock_now() where used_at is null`.execute(tx)
      const sending = request.send()
      await expect.poll(blockedStatements).toBe(1)
      return { sent: sending }
    })
    const response = await sent
    expect(await errorBody(response.clone())).toMatchObject({ status: 401, error: 'token_used' })
    expect(response.headers.get('ratelimit')).toMatch(/; r=\d+; t=\d+$/)
  })
})
