import { Status } from '@tiwala/ui/parts'
import { useState } from 'preact/hooks'
import { arrivedCode } from '../desk/arrived-code.ts'
import { recordStates } from '../desk/record-states.ts'
import { type Exchange, exchanges, type Side } from '../http/exchanges.ts'
import { nameOf } from '../http/operation-of.ts'
import { ExchangeView } from '../parts/exchange-view.tsx'
import { Fold } from '../parts/fold.tsx'
import { Icon } from '../parts/icon.tsx'
import { pretty, Snippet } from '../parts/snippet.tsx'
import { sinceInWords } from '../parts/words.ts'
import { scannedCode } from '../phone/scanned-code.ts'
import { useStore } from '../state/create-store.ts'
import { askedCitizenOf, saved } from '../state/sandbox.ts'
import { receivedEvents, sentEvents, useEventRefresh } from './events.ts'
import { consentStory, scannedStory, signInStory, type Step } from './story.ts'
import './timeline.css'

/** Between the phone and the desk: what happens, step by step, each with its request. */
export function Timeline() {
  const own = useStore(saved)!
  const list = useStore(exchanges)
  const sent = useStore(sentEvents)
  const received = useStore(receivedEvents)
  const states = useStore(recordStates)
  const arrived = useStore(arrivedCode)
  const scanned = useStore(scannedCode)
  useEventRefresh()
  const [trackingNo] = own.records
  const state = trackingNo && states[trackingNo]
  const { name } = askedCitizenOf(own)
  const [firstName] = name.split(' ')
  const facts = { exchanges: list, sent, received, trackingNo, state, name: firstName! }
  return (
    <section class="part happenings" aria-labelledby="timeline-title">
      <h2 id="timeline-title">What happens</h2>
      {arrived && <Steps label="Sign-in" steps={signInStory(list, arrived.code)} key={arrived.code} />}
      {scanned ? (
        <Steps label="Sign-in by OpenID Connect" steps={scannedStory(list)} key={scanned.code} />
      ) : (
        <Steps label="Profile with consent" steps={consentStory(facts)} key={trackingNo} />
      )}
      <Sent list={list} />
    </section>
  )
}

function Steps({ label, steps }: { label: string; steps: Step[] }) {
  const [openId, setOpenId] = useState<string>()
  return (
    <>
      <h3 class="small soft">{label}</h3>
      <ol class="timeline" aria-label={label}>
        {steps.map((step) => (
          <StepRow
            key={step.id}
            step={step}
            isOpen={step.id === openId}
            onToggle={() => setOpenId(step.id === openId ? undefined : step.id)}
          />
        ))}
      </ol>
    </>
  )
}

function StepRow({ step, isOpen, onToggle }: { step: Step; isOpen: boolean; onToggle: () => void }) {
  const { title, note, status, exchange, event } = step
  const words = (
    <>
      <strong>{title}</strong>
      <span class="note">{note}</span>
    </>
  )
  return (
    <li class={`${status} ${isOpen ? 'open' : ''}`} aria-current={status === 'now' ? 'step' : undefined}>
      {exchange || event ? (
        <button type="button" class="step" aria-expanded={isOpen} onClick={onToggle}>
          {words}
          <Icon name="chevron" />
        </button>
      ) : (
        <div class="step">{words}</div>
      )}
      {isOpen && exchange && <ExchangeView exchange={exchange} />}
      {isOpen && event && <EventView {...event} />}
    </li>
  )
}

function EventView({ delivery, received }: NonNullable<Step['event']>) {
  return (
    <div class="exchange">
      <p class="message-line">
        <code>{delivery.type}</code>{' '}
        {received && (
          <span class={`badge ${received.signature_ok ? 'good' : 'bad'}`}>
            {received.signature_ok ? 'valid signature' : 'wrong signature'}
          </span>
        )}
      </p>
      {received ? (
        <Snippet text={pretty(received.body)} />
      ) : (
        <p class="small">
          The inbox has not received it{delivery.last_outcome && `: ${delivery.last_outcome}`}.
        </p>
      )}
    </div>
  )
}

const SIDES: Record<Side, { icon: 'phone' | 'building' | 'play'; name: string }> = {
  phone: { icon: 'phone', name: 'Phone' },
  desk: { icon: 'building', name: 'Desk' },
  controls: { icon: 'play', name: 'Controls' },
}
const SHOWN_AT_FIRST = 6

/** Each request that this tab sent, newest first. */
function Sent({ list }: { list: Exchange[] }) {
  const [isAll, setAll] = useState(false)
  if (list.length === 0) return null
  return (
    <>
      <h3 class="small soft">Sent from this page</h3>
      <ul class="sent">
        {list.slice(0, isAll ? undefined : SHOWN_AT_FIRST).map((exchange) => (
          <li key={exchange.id} aria-label={`${SIDES[exchange.side].name}: ${nameOf(exchange)}`}>
            <Fold
              summary={
                <>
                  <Icon name={SIDES[exchange.side].icon} />
                  <code>{nameOf(exchange)}</code>
                  <Status status={exchange.response?.status} />
                  <span class="when">{sinceInWords(exchange.endedAtMs)}</span>
                </>
              }
            >
              <ExchangeView exchange={exchange} />
            </Fold>
          </li>
        ))}
      </ul>
      {list.length > SHOWN_AT_FIRST && (
        <button type="button" class="button compact quiet" onClick={() => setAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show all ${list.length}`}
        </button>
      )}
    </>
  )
}
