import type { AuthorizationAnswer } from '@tiwala/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { deskOf } from '../http/clients.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { State } from '../phone/consent-card.tsx'
import { advancedSeconds } from '../state/begin.ts'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { sentEvents } from '../timeline/events.ts'
import { firstAnswers } from './first-answers.ts'
import { ProfileCard } from './profile-card.tsx'
import { noteState } from './record-states.ts'
import { endTurns, takeTurn } from './take-turns.ts'

const WAIT_SECONDS = 20
const RECONNECT_SECONDS = 3

/**
 * A record at the desk. The newest one follows the citizen's answer by inquiries that wait, as a server does.
 * The others do not wait, because a browser has six connections to a server: they are read again after an
 * event about them.
 */
export function RecordCard({ trackingNo, isNewest }: { trackingNo: string; isNewest: boolean }) {
  const [answer, setAnswer] = useState<AuthorizationAnswer | undefined>(firstAnswers.get(trackingNo))
  const [error, setError] = useState<unknown>()
  const [round, setRound] = useState(0)
  const act = useAction()
  const advanced = useStore(advancedSeconds)
  const isPending = answer?.state === 'PENDING'
  // The event of a viewed profile would come again after each inquiry.
  const event = useStore(sentEvents).find(
    ({ tracking_no, type }) => tracking_no === trackingNo && type.startsWith('authorization.'),
  )
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    const follow = async () => {
      let isKnown = firstAnswers.has(trackingNo)
      firstAnswers.delete(trackingNo)
      while (!signal.aborted) {
        try {
          const desk = deskOf(saved.get()!.sandbox, isKnown ? 'always' : 'never')
          const waitSeconds = isNewest && isKnown ? WAIT_SECONDS : 0
          const inquire = () => desk.inquire(trackingNo, { waitSeconds, signal })
          const read = await takeTurn(trackingNo, signal, inquire)
          setAnswer(read)
          noteState(trackingNo, read.state)
          setError(undefined)
          if (read.state !== 'PENDING') return endTurns(trackingNo)
          if (!isNewest) return
          isKnown = true
        } catch (thrown) {
          if (signal.aborted) return
          const isRefused = thrown instanceof Error && 'status' in thrown
          const wait = isRefused && 'retryAfterSeconds' in thrown ? thrown.retryAfterSeconds : undefined
          if (!wait) setError(thrown)
          if (isRefused && !wait) return
          // Without a response the service may be stopped: the card goes on when it answers again.
          await new Promise((resolve) => setTimeout(resolve, Number(wait ?? RECONNECT_SECONDS) * 1000))
        }
      }
    }
    void follow()
    return () => stopping.abort()
  }, [trackingNo, round])
  // The newest record is waited for while it is pending. Others change by the clock, or by a citizen.
  const isFollowed = isNewest && (isPending || !answer)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current && !isFollowed) setRound(round + 1)
    isFirst.current = false
  }, [advanced])
  // Each inquiry that gives the profile is a line in the citizen's history, so only a new state is read.
  const isOutdated =
    !isFollowed && !!answer && !!event && event.type !== `authorization.${answer.state.toLowerCase()}`
  useEffect(() => {
    if (isOutdated) setRound(round + 1)
  }, [isOutdated])
  const cancel = () =>
    act.run(async () => {
      await deskOf(saved.get()!.sandbox).cancelAuthorization(trackingNo)
      setRound(round + 1)
    })
  const profile = answer?.record.response
  return (
    <article class={`desk-card ${answer?.state ?? ''}`} aria-label={`Record ${trackingNo.slice(-4)}`}>
      <header>
        <p class="tracking-line">
          <span>Tracking number</span>
          <code class="tracking">{trackingNo.slice(0, -4)}</code>
          <strong class="last4">{trackingNo.slice(-4)}</strong>
        </p>
        {answer && <State state={answer.state} />}
      </header>
      {!answer && !error && <p>Reading the record …</p>}
      {isPending && (
        <p class="waiting">
          <span class="pulse" aria-hidden="true" />
          Waiting for the citizen …
          <Button class="compact" isOff={act.isBusy} onClick={cancel}>
            Cancel the request
          </Button>
        </p>
      )}
      {answer && answer.state in NO_PROFILE && <p>{NO_PROFILE[answer.state]}</p>}
      {profile && <ProfileCard profile={profile} />}
      {/* A refused cancellation says nothing any more about a record that has ended. */}
      <ErrorBox error={isPending && act.error} hasDiagnosis retry={act.retry} />
      <ErrorBox error={error} hasDiagnosis retry={() => setRound(round + 1)} />
    </article>
  )
}

const NO_PROFILE: Record<string, string> = {
  DECLINED: 'No profile: the guest said no.',
  EXPIRED: 'No profile: the guest did not answer in time.',
  CANCELLED: 'No profile: you took the request back.',
  REVOKED: 'The guest took the consent back. The profile can no longer be read.',
}
