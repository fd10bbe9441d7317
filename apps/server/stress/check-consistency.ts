import { setTimeout as sleep } from 'node:timers/promises'
// The consistency check after a crash test. A process, the database or its server was killed under load, and
// the traffic kept a ledger of every acknowledged action. The check compares the ledger with the database:
// - each acknowledged action is stored, and recorded in the audit exactly once;
// - no action is recorded twice, and no event is written twice;
// - the numbers of actions, audit events and callback events agree;
// - no used token or code works again.
// Example: `findInconsistencies(url, ledger, api)` returns `[]`, or a line for each inconsistency, such as
// `acknowledged and not there: {"kind":"authorization.accepted",...}`.
import { mapConcurrently } from '@tiwala/kit/map-concurrently'
import { onServer } from '../src/testing/database.ts'
import { type ApiClient, refusalOf } from '../test/kit/api-client.ts'
import type { Ledger } from './traffic.ts'

const RETRY_DELAY_MS = 50

const EVENTS = `
  with acknowledged as (
    select kind, mark from json_to_recordset($1) as a (kind text, mark text)
  ), audited as (
    select kind, case when kind in ('authorization.requested', 'authorization.accepted')
                      then tracking_no else request_id end as mark
      from audit_event
  )`

/** Each row of a result is an inconsistency. */
const CHECKS = {
  'acknowledged and not recorded once': `
    select a.kind, a.mark, count(audited.mark)
      from acknowledged a left join audited using (kind, mark)
     group by 1, 2 having count(audited.mark) <> 1`,
  'acknowledged and not there': `
    select a.kind, a.mark, r.state
      from acknowledged a left join authorization_record r on r.tracking_no = a.mark
     where a.kind like 'authorization.%'
       and (r.state is null or (a.kind = 'authorization.accepted' and r.state <> 'ACCEPTED'))`,
  'recorded twice': `
    select kind, mark, count(*) from audited
     where kind in (select kind from acknowledged) group by 1, 2 having count(*) > 1`,
  'event written twice': `
    select type, data->>'tracking_no' as mark, count(*) from callback_event
     where type = 'authorization.accepted' group by 1, 2 having count(*) > 1`,
  'the counts of actions, audit events and callback events differ': `
    , actions (kind, done) as (values
      ('authorization.requested', (select count(*) from authorization_record)),
      ('authorization.accepted', (select count(*) from authorization_record where state = 'ACCEPTED')),
      ('code.redeemed', (select count(*) from exchange_code where redeemed_at is not null)),
      ('sso.authenticated', (select count(*) from access_token where used_at is not null))
    ), counted as (
      select kind, done, (select count(*) from audited where audited.kind = actions.kind) as recorded,
             case when kind = 'code.redeemed' then (select count(*) from access_token)
                  when kind = 'authorization.requested' then done
                  else (select count(*) from callback_event where type = actions.kind) end as notified
        from actions
    )
    select * from counted where done <> recorded or done <> notified`,
}

/** Used values that work again, acknowledged actions that are missing, and wrong counts. */
export async function findInconsistencies(
  databaseUrl: string,
  ledger: Ledger,
  api: ApiClient,
): Promise<string[]> {
  const revived = [
    ...(await mapConcurrently(ledger.tokens, async (token) => outcomeOf(() => api.signIn(token)))).filter(
      (outcome) => outcome !== '401 token_used',
    ),
    ...(
      await mapConcurrently(ledger.codes, async (code) => outcomeOf(() => api.redeemExchangeCode(code)))
    ).filter((outcome) => outcome !== '422 exchange_code_invalid'),
  ]
  return [
    ...ledger.faults,
    ...(await runChecks(databaseUrl, ledger)),
    ...revived.map((outcome) => `used up, and sent again: ${outcome}`),
  ]
}

async function runChecks(databaseUrl: string, ledger: Ledger): Promise<string[]> {
  const faults: string[] = []
  await onServer(databaseUrl, async (client) => {
    for (const [what, check] of Object.entries(CHECKS)) {
      const { rows } = await client.query<object>(EVENTS + check, [JSON.stringify(ledger.acknowledged)])
      faults.push(...rows.map((row) => `${what}: ${JSON.stringify(row)}`))
    }
  })
  return faults
}

/** On a busy machine, the server may say that it is overloaded: it has not read the value then. */
async function outcomeOf(send: () => Promise<Response>): Promise<string> {
  for (;;) {
    const response = await send()
    const outcome = response.ok ? `${response.status}` : await refusalOf(response)
    if (outcome !== '503 unavailable') return outcome
    await sleep(RETRY_DELAY_MS)
  }
}
