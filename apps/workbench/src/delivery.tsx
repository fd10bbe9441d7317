import type { Schemas } from '@tiwala/contract'
import { CopyButton } from '@tiwala/ui/copy-button'
import { Table } from '@tiwala/ui/list'
import { useAction, useLoad } from '@tiwala/ui/load'
import { Alert, Facts, Heading, State, Time } from '@tiwala/ui/parts'
import { api, type Session } from './api.ts'
import { OBSTACLES } from './endpoint.tsx'
import { hrefOf } from './location.ts'

/** One event, with each attempt to deliver it and the body. */
export function Delivery({ id, session }: { id: string; session: Session }) {
  const { value, error, isBusy, reload } = useLoad(id, async () => {
    const [{ body }, endpoint] = await Promise.all([
      api('readDelivery', { path: { webhook_id: id } }),
      api('readEndpoint', {}),
    ])
    return { ...body, obstacle: OBSTACLES[endpoint.body.status] }
  })
  const action = useAction(reload)
  const replay = () =>
    action.run(async () => {
      await api('replayOwnDeliveries', { body: { webhook_ids: [id] } })
      return 'Pending again.'
    })
  const mayReplay = session.role !== 'viewer'
  return (
    <>
      <p>
        <a href={hrefOf('events')}>All events</a>
      </p>
      <Heading title={`Event ${id}`}>{value?.delivery.type ?? 'Event'}</Heading>
      <Alert text={error || action.error} />
      {isBusy && !value && <p>Loading ...</p>}
      {value && (
        <>
          <DeliveryFacts delivery={value.delivery} />
          <section class="card">
            <h2>Attempts</h2>
            <Attempts attempts={value.attempts} />
            <p>
              <a href="/docs/guides/webhooks#why-a-delivery-failed">What each outcome means</a>
            </p>
          </section>
          <section class="card">
            <h2>Body</h2>
            <pre tabIndex={0}>{JSON.stringify(JSON.parse(value.body), null, 2)}</pre>
          </section>
        </>
      )}
      {mayReplay && value?.obstacle && <p>{value.obstacle}</p>}
      <p class="row">
        {mayReplay && value && !value.obstacle && (
          <button
            type="button"
            class="button primary compact"
            aria-disabled={action.isBusy}
            onClick={() => void replay()}
          >
            Replay
          </button>
        )}
        <button type="button" class="button compact" onClick={reload}>
          Refresh
        </button>
      </p>
    </>
  )
}

const DeliveryFacts = ({ delivery }: { delivery: Schemas['Delivery'] }) => (
  <Facts
    of={{
      Delivery: <State state={delivery.status} />,
      Happened: <Time at={delivery.occurred_at} />,
      'Next attempt': delivery.next_attempt_at && <Time at={delivery.next_attempt_at} />,
      'Event ID (webhook-id)': (
        <>
          <code>{delivery.webhook_id}</code> <CopyButton text={delivery.webhook_id} />
        </>
      ),
      'Tracking number': delivery.tracking_no && <code>{delivery.tracking_no}</code>,
    }}
  />
)

const Attempts = ({ attempts }: { attempts: Schemas['DeliveryAttempt'][] }) => (
  <Table
    caption="Attempts, the oldest first"
    empty="There was no attempt yet."
    rows={attempts}
    keyOf={({ attempted_at }) => attempted_at}
    columns={[
      { title: 'Time', cell: ({ attempted_at }) => <Time at={attempted_at} /> },
      {
        title: 'Outcome',
        cell: ({ outcome }) => (
          <span class={`badge ${outcome.startsWith('HTTP 2') ? 'good' : 'bad'}`}>{outcome}</span>
        ),
      },
      { title: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms` },
    ]}
  />
)
