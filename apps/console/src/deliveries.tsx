import { ask } from '@tiwala/ui/dialog'
import { EVENT_TYPES } from '@tiwala/ui/event-types'
import { ChoiceField, queryOf, TextField, TimeField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { useAction } from '@tiwala/ui/load'
import { Alert, choicesOf, formatTime, Heading, State, Time } from '@tiwala/ui/parts'
import { useState } from 'preact/hooks'
import { Command, Commands, commandOf } from './act.tsx'
import { api, mayCall, type Session } from './api.ts'
import { hrefOf } from './location.ts'
import { PARTNER } from './partner-link.tsx'

const BATCH = 500

export function Deliveries({ filters, session }: { filters: URLSearchParams; session: Session }) {
  return (
    <>
      <Heading title="Deliveries">Deliveries</Heading>
      <p class="lead">The events to partners, newest first. Given up: the service stopped trying.</p>
      <List
        filters={filters}
        hrefOf={(next) => hrefOf('deliveries', '', next)}
        read={(query) => api('listDeliveries', { query })}
        rowsOf={({ deliveries }) => deliveries}
        caption="Deliveries, newest first"
        empty="No deliveries match."
        none="No event was sent yet."
        keyOf={({ webhook_id }) => webhook_id}
        columns={[
          {
            title: 'Event',
            cell: ({ type, occurred_at }) => (
              <>
                <code>{type}</code>
                <br />
                <span class="small soft">
                  <Time at={occurred_at} />
                </span>
              </>
            ),
          },
          PARTNER,
          {
            title: 'Status',
            cell: ({ status }) => <State state={status} />,
          },
          {
            title: 'Last attempt',
            cell: ({ attempts, last_outcome }) =>
              last_outcome ? `${last_outcome}, attempt ${attempts}` : 'none',
          },
          {
            title: 'Next attempt',
            cell: ({ next_attempt_at }) => (next_attempt_at ? <Time at={next_attempt_at} /> : 'none'),
          },
        ]}
        fields={
          <>
            <TextField label="Partner code" name="partner_code" wide />
            <ChoiceField label="Status" name="status" options={choicesOf(['PENDING', 'DELIVERED', 'DEAD'])} />
          </>
        }
      >
        {(form, reload) => (
          <>
            {form}
            {mayCall(session, 'replayDeadLetters') && <Replay done={reload} />}
          </>
        )}
      </List>
      <Commands of={[commandOf('listDeliveries', {}, queryOf(filters))]} />
    </>
  )
}

/** Sends events again that were given up, one batch after another, until none of the selection remains. */
function Replay({ done }: { done: () => void }) {
  const action = useAction(done)
  const [selection, setSelection] = useState<Record<string, string>>({})
  const [result, setResult] = useState('')
  const { partner_code, type, from, to } = selection
  const chosen = [
    type ? `given-up ${type} events` : 'given-up events',
    `of ${partner_code ?? 'all partners'}`,
    from && `from ${formatTime(from)}`,
    to && `until ${formatTime(to)}`,
  ]
  const question = {
    title: `Send all ${chosen.filter(Boolean).join(' ')} again?`,
    text: 'The servers of the partners get each of them once more.',
    act: 'Send again',
    tone: '',
  }
  const replay = (event: SubmitEvent) => {
    event.preventDefault()
    void action.run(async () => {
      if (!(await ask(question))) return
      let sum = 0
      for (let hasMore = true; hasMore;) {
        const { body } = await api('replayDeadLetters', {
          body: { ...selection, limit: BATCH },
        })
        sum += body.replayed
        setResult(sum > 0 ? `${sum} events are pending again.` : 'No given-up events match.')
        // If a request restarts nothing, another process restarts the rest.
        hasMore = body.has_more && body.replayed > 0
      }
      done()
    })
  }
  return (
    <details class="card">
      <summary>Send given-up events again</summary>
      <form
        class="filters"
        onSubmit={replay}
        onInput={({ currentTarget }) => setSelection(queryOf(new FormData(currentTarget)))}
        aria-label="Send given-up events again"
      >
        <TextField label="Partner code" name="partner_code" wide />
        <ChoiceField label="Event" name="type" options={EVENT_TYPES} />
        <TimeField label="From" name="from" />
        <TimeField label="Until" name="to" />
        <button class="button" aria-disabled={action.isBusy}>
          Send again
        </button>
      </form>
      <p role="status">{result}</p>
      <Alert text={action.error} />
      <Command text={commandOf('replayDeadLetters', {}, selection)} />
    </details>
  )
}
