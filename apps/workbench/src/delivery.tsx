import type { Schemas } from '@tiwala/contract'
import { Table } from '@tiwala/ui/list'
import { useAction, useLoad } from '@tiwala/ui/load'
import { Alert, Heading, State, Time } from '@tiwala/ui/parts'
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
          <Facts delivery={value.delivery} />
          <section class="card">
            <h2>Attempts</h2>
            <Attempts attempts={value.attempts} />
            <p>
              <a href="/docs/guides/webhooks#why-a-delivery-failed">What each outcome means</a>
            </p>
          </section>
          <section class="card">
            <h2>Body</h2>
            <pre tabIndex={0}>{value.body}</pre>
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
          Read again
        </button>
      </p>
    </>
  )
}

const Facts = ({ delivery }: { delivery: Schemas['Delivery'] }) => (
  <dl class="facts">
    <dt>Delivery</dt>
    <dd>
      <State state={delivery.status} />
    </dd>
    <dt>Happened</dt>
    <dd>
      <Time at={delivery.occurred_at} />
    </dd>
    {delivery.next_attempt_at && (
      <>
        <dt>Next attempt</dt>
        <dd>
          <Time at={delivery.next_attempt_at} />
        </dd>
      </>
    )}
    <dt>Event id (webhook-id)</dt>
    <dd>
      <code>{delivery.webhook_id}</code>
    </dd>
    {delivery.tracking_no && (
      <>
        <dt>Tracking number</dt>
        <dd>
          <code>{delivery.tracking_no}</code>
        </dd>
      </>
    )}
  </dl>
)

const Attempts = ({ attempts }: { attempts: Schemas['DeliveryAttempt'][] }) =>
  attempts.length === 0 ? (
    <p>There was no attempt yet.</p>
  ) : (
    <Table
      caption="Attempts, the oldest first"
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
