import type { Schemas } from '@tiwala/contract'
import { ChoiceField, queryOf, TextField } from '@tiwala/ui/fields'
import { List, Table } from '@tiwala/ui/list'
import { Heading, Time } from '@tiwala/ui/parts'
import { useState } from 'preact/hooks'
import { Act, Commands, commandOf } from './act.tsx'
import { api, type Session } from './api.ts'
import { hrefOf } from './location.ts'
import { PARTNER } from './partner-link.tsx'
import { Person } from './person.tsx'

type Anomaly = Schemas['Anomaly']

const KINDS: Record<Anomaly['kind'], string> = {
  rate: 'Requests in an hour',
  night: 'Requests in an hour at night',
  refusals: 'Refused requests of an hour, in %',
  declines: 'Declined answers of an hour, in %',
  disputes: 'Disputes in 24 hours',
  address: 'New ranges of addresses in 24 hours',
}
const ACTIONS = { slow: 'limits quartered', suspend: 'partner suspended' }

export const Anomalies = ({ filters, session }: { filters: URLSearchParams; session: Session }) => (
  <>
    <Heading title="Alarms">Alarms</Heading>
    <p class="lead">Behavior of partners that is unusual for them, compared with their last two weeks.</p>
    <List
      filters={filters}
      hrefOf={(next) => hrefOf('anomalies', '', next)}
      read={({ open, ...query }) =>
        api('listAnomalies', { query: { ...query, ...(open && { open: open === 'true' }) } })
      }
      rowsOf={({ anomalies }) => anomalies}
      caption="Anomalies, newest first"
      empty="No alarms match."
      none="There was no alarm yet."
      keyOf={({ anomaly_id }) => anomaly_id}
      columns={[PARTNER, { title: 'What', cell: (anomaly) => <What anomaly={anomaly} session={session} /> }]}
      fields={
        <>
          <TextField label="Partner code" name="partner_code" wide />
          <ChoiceField label="Kind" name="kind" options={KINDS} />
          <ChoiceField label="State" name="open" options={{ true: 'open', false: 'ended' }} />
        </>
      }
    />
    <Commands of={[commandOf('listAnomalies', {}, queryOf(filters))]} />
  </>
)

/** What was seen, and the act that ends the alarm. */
function What({ anomaly, session }: { anomaly: Anomaly; session: Session }) {
  /** What the act of this person returned, until the list shows it, too. */
  const [own, setOwn] = useState<Anomaly>()
  const shown = own && anomaly.acknowledged_at === null ? own : anomaly
  const {
    anomaly_id,
    partner_code,
    partner_name,
    ended_at,
    action,
    acknowledged_by,
    acknowledged_by_name,
    acknowledged_reason,
  } = shown
  return (
    <div class={`notice ${ended_at ? '' : 'warn'}`}>
      <Numbers anomaly={shown} />
      <p>
        <Since anomaly={shown} /> {action && <span class="badge">{ACTIONS[action]}</span>}
      </p>
      {acknowledged_by && (
        <p class="small soft">
          Acknowledged by <Person id={acknowledged_by} name={acknowledged_by_name} />
          {acknowledged_reason && `: ${acknowledged_reason}`}
        </p>
      )}
      {ended_at === null && acknowledged_by === null && (
        <div>
          <Act
            session={session}
            id="acknowledgeAnomaly"
            path={{ anomaly_id }}
            label="Acknowledge"
            title={`Acknowledge the alarm of ${partner_name}`}
            did="Acknowledged"
            isHarmless
            warning="The alarm ends, and the limits of the partner are whole again. A suspended partner stays suspended."
            expected={partner_code}
            done={(body) => setOwn(body as Anomaly)}
          />
        </div>
      )}
    </div>
  )
}

const Numbers = ({ anomaly }: { anomaly: Anomaly }) => {
  const { kind, expected, threshold, observed, address_ranges } = anomaly
  return (
    <>
      {KINDS[kind]}: <strong>{observed.toLocaleString('en')}</strong>
      {kind !== 'address' && observed >= 2 * expected && expected > 0
        ? `, ${Math.floor(observed / expected)} times the usual`
        : ''}
      <br />
      <span class="small soft">
        {kind === 'address'
          ? address_ranges.join(', ')
          : `usually ${expected.toLocaleString('en')}, alarm from ${threshold.toLocaleString('en')}`}
      </span>
      <br />
    </>
  )
}

const Since = ({ anomaly: { began_at, ended_at } }: { anomaly: Anomaly }) => (
  <>
    since <Time at={began_at} />{' '}
    {ended_at ? (
      <>
        until <Time at={ended_at} />
      </>
    ) : (
      <span class="badge bad">open</span>
    )}
  </>
)

/** On the page of a partner. */
export const PartnerAnomalies = ({ body: { anomalies } }: { body: { anomalies: Anomaly[] } }) => (
  <Table
    caption="Anomalies, newest first"
    empty="None."
    rows={anomalies}
    keyOf={({ anomaly_id }) => anomaly_id}
    columns={[
      { title: 'What', cell: (anomaly) => <Numbers anomaly={anomaly} /> },
      { title: 'Since', cell: (anomaly) => <Since anomaly={anomaly} /> },
    ]}
  />
)
