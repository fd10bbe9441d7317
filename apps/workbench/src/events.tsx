import type { Schemas, Success } from '@tiwala/contract'
import { ask } from '@tiwala/ui/dialog'
import { EVENT_TYPES } from '@tiwala/ui/event-types'
import { ChoiceField, queryOf, TextField, TimeField } from '@tiwala/ui/fields'
import { type Column, List } from '@tiwala/ui/list'
import { useAction, useLoad } from '@tiwala/ui/load'
import { Alert, choicesOf, Heading, State, Time } from '@tiwala/ui/parts'
import { toast } from '@tiwala/ui/toast'
import { useRef, useState } from 'preact/hooks'
import { api, type Session } from './api.ts'
import { type Act, Endpoint, OBSTACLES } from './endpoint.tsx'
import { hrefOf } from './location.ts'
import type { NewSecrets } from './use-new-secrets.ts'

const STATUSES: Schemas['DeliveryStatus'][] = ['PENDING', 'DELIVERED', 'DEAD']
/** Of one request of a replay. */
const MAX_REPLAYED = 1_000
const MAX_SELECTED = 200

type Props = { filters: URLSearchParams; session: Session; newSecrets: NewSecrets }

export function Events({ filters, session, newSecrets }: Props) {
  const endpoint = useLoad('endpoint', async () => (await api('readEndpoint', {})).body)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const action = useAction()
  const mayReplay = session.role !== 'viewer'
  const obstacle = endpoint.value && OBSTACLES[endpoint.value.status]
  const toggle = (ids: string[], isSelected: boolean) =>
    setSelected((before) => {
      const others = [...before].filter((id) => !ids.includes(id))
      return new Set(isSelected ? [...others, ...ids] : others)
    })
  const box = (label: string, ids: string[]) => (
    <input
      type="checkbox"
      aria-label={label}
      checked={ids.every((id) => selected.has(id))}
      onChange={(event) => toggle(ids, event.currentTarget.checked)}
    />
  )
  const selection: Column<Delivery> = {
    title: 'Select',
    cell: ({ webhook_id }) => box(`Select ${webhook_id}`, [webhook_id]),
  }
  const left: Left = useRef(undefined)
  const replayControls = (shown: Delivery[], act: Act) => {
    if (obstacle) return <p>{obstacle}</p>
    // Other filters show other events: what is not shown is not replayed.
    const chosen = shown.flatMap(({ webhook_id }) => (selected.has(webhook_id) ? [webhook_id] : []))
    const replaySelected = async () => {
      let pending = 0
      for (let at = 0; at < chosen.length; at += MAX_SELECTED) {
        const ids = chosen.slice(at, at + MAX_SELECTED)
        pending += (await api('replayOwnDeliveries', { body: { webhook_ids: ids } })).body.deliveries.length
        toggle(ids, false)
      }
      return `Pending again: ${pending}.`
    }
    return (
      <div class="row">
        {shown.length > 0 && (
          <label class="row">
            {box(
              'Select all shown',
              shown.map(({ webhook_id }) => webhook_id),
            )}
            Select all shown
          </label>
        )}
        <button
          type="button"
          class="button"
          aria-disabled={chosen.length === 0 || action.isBusy}
          onClick={() => chosen.length > 0 && void act(replaySelected)}
        >
          Replay selected ({chosen.length})
        </button>
        {shown.length > 0 && <ReplayAll filters={filters} isBusy={action.isBusy} act={act} left={left} />}
      </div>
    )
  }
  return (
    <>
      <Heading title="Events">Events</Heading>
      <p class="lead">What the service sends to your callback URL. No personal data.</p>
      <Alert text={endpoint.error} retry={endpoint.reload} />
      <Alert text={action.error} />
      <List
        filters={filters}
        hrefOf={(next) => hrefOf('events', '', next)}
        read={(query) => api('listOwnDeliveries', { query })}
        rowsOf={({ deliveries }) => deliveries}
        caption="Events, newest first"
        empty="No events match."
        none="No events yet."
        keyOf={({ webhook_id }) => webhook_id}
        columns={mayReplay && !obstacle ? [selection, ...COLUMNS] : COLUMNS}
        fields={
          <>
            <ChoiceField label="Status" name="status" options={choicesOf(STATUSES)} />
            <ChoiceField label="Type" name="type" options={EVENT_TYPES} />
            <TextField label="Tracking number" name="tracking_no" />
            <TimeField label="From" name="since" />
            <TimeField label="Until" name="until" />
          </>
        }
      >
        {(form, reload, shown) => {
          const act: Act = (run) =>
            action.run(async () => {
              const done = await run()
              if (done) {
                reload()
                endpoint.reload()
              }
              return done
            })
          return (
            <>
              {endpoint.value && (
                <Endpoint endpoint={endpoint.value} session={session} newSecrets={newSecrets} act={act} />
              )}
              {form}
              {mayReplay && replayControls(shown, act)}
            </>
          )
        }}
      </List>
    </>
  )
}

/** Where an error has stopped a replay, and of which list. */
type Left = { current: { of: string; cursor: string } | undefined }
type ReplayAllProps = { filters: URLSearchParams; isBusy: boolean; act: Act; left: Left }

/** Replays everything that the filters select, request by request. */
function ReplayAll({ filters, isBusy, act, left }: ReplayAllProps) {
  const { status, tracking_no, ...range } = queryOf(filters)
  if ((status !== 'DEAD' && status !== 'DELIVERED') || tracking_no) return null
  const name = status === 'DEAD' ? 'given-up events' : 'delivered events'
  const title = `Send all ${name} of this list again?`
  const question = { title, text: 'Your server gets each of them once more.', act: 'Send again', tone: '' }
  const replay = async () => {
    if (!(await ask(question))) return undefined
    let replayed = 0
    const of = String(filters)
    let cursor: string | null | undefined = left.current?.of === of ? left.current.cursor : undefined
    while (cursor !== null) {
      const body = { ...range, status, limit: MAX_REPLAYED, ...(cursor && { cursor }) } as const
      const answer: Success<'replayOwnRange'> = (await api('replayOwnRange', { body })).body
      replayed += answer.replayed
      cursor = answer.next_cursor
      left.current = cursor === null ? undefined : { of, cursor }
      toast(`Pending again: ${replayed} ...`)
    }
    return `Pending again: ${replayed}.`
  }
  return (
    <button type="button" class="button" aria-disabled={isBusy} onClick={() => void act(replay)}>
      Replay all {name}
    </button>
  )
}

type Delivery = Schemas['Delivery']

const COLUMNS: Column<Delivery>[] = [
  { title: 'Time', cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  {
    title: 'Event',
    cell: ({ webhook_id, type, tracking_no }) => (
      <>
        <a href={hrefOf('events', webhook_id)}>{type}</a>
        <br />
        <code class="small soft">{tracking_no ?? webhook_id}</code>
      </>
    ),
  },
  {
    title: 'Delivery',
    cell: ({ status, last_outcome, attempts }) => (
      <>
        <State state={status} />
        <br />
        <span class="small soft">{last_outcome && `${last_outcome}, attempt ${attempts}`}</span>
      </>
    ),
  },
]
