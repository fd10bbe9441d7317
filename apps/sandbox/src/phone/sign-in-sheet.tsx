import type { Schemas } from '@tiwala/contract'
import { ConsentQuestion, Items } from '@tiwala/ui/consent-question'
import { wordsOfItem } from '@tiwala/ui/item-words'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { phoneOf } from '../http/clients.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { useStore } from '../state/create-store.ts'
import { useAction } from '../state/use-action.ts'
import { phoneChanges } from './consents.ts'
import { scannedCode } from './scanned-code.ts'

const DEVICES = {
  same: 'A browser on this device opened the app.',
  other: 'A browser shows the code. It can be on another device.',
}

/** The sign-in request of the scanned code, and the answer of the citizen. With another code or citizen it begins again. */
export function SignInSheet({
  token,
  isSettled,
  onDone,
}: {
  token: string
  isSettled: boolean
  /** Gets what the citizen has done, in words. */
  onDone: (outcome: ComponentChildren) => void
}) {
  const scanned = useStore(scannedCode)
  const [request, setRequest] = useState<Schemas['SignInRequest']>()
  /** The optional items that the citizen does not share. */
  const [left, setLeft] = useState<string[]>([])
  const { isBusy, error, run, retry } = useAction()
  const code = scanned?.code
  useEffect(() => {
    if (code) run(async () => setRequest((await phoneOf(token)('openSignIn', { body: { code } })).body))
  }, [])
  if (!scanned) return null

  const close = () => {
    if (scannedCode.get()?.code === code) scannedCode.set(undefined)
  }
  const answer = (act: 'approveSignIn' | 'declineSignIn') =>
    run(async () => {
      const { sign_in_id, items, partner } = request!
      const path = { sign_in_id }
      const shared = items.map(({ item }) => item).filter((item) => !left.includes(item))
      const { body } =
        act === 'approveSignIn'
          ? await phoneOf(token)(act, { path, body: { items: shared } })
          : await phoneOf(token)(act, { path })
      close()
      phoneChanges.update((count) => count + 1)
      const { return_url } = body
      if (scanned.isLinked && return_url) return location.assign(return_url)
      if (scanned.isLinked) return history.back()
      onDone(
        <>
          {act === 'approveSignIn' ? 'You approved' : 'You declined'} the sign-in at {partner.name}.{' '}
          {return_url && <a href={return_url}>Go on in the browser</a>}
        </>,
      )
    })

  if (request?.state !== 'PENDING')
    return (
      <article class="asks" aria-label="Sign-in request">
        <p>{request ? `This sign-in request is ${request.state}.` : error ? '' : 'Reading …'}</p>
        <ErrorBox error={error} retry={retry} />
        <p>
          <Button onClick={close}>Close</Button>
        </p>
      </article>
    )
  const { partner, items, device, comparison } = request
  const optional = items.filter(({ is_required }) => !is_required)
  const isOff = isBusy || !isSettled
  return (
    <article class="asks" aria-label="Sign-in request">
      <ConsentQuestion partner={partner} asks="asks you to sign in">
        {DEVICES[device]} It must show <strong class="last4">{comparison}</strong>
      </ConsentQuestion>
      <p class="small">It gets:</p>
      <Items items={items.filter(({ is_required }) => is_required).map(({ item }) => item)} />
      {optional.length > 0 && <p class="small">It also gets, if you like:</p>}
      <ul>
        {optional.map(({ item }) => (
          <li key={item} title={item}>
            <label>
              <input
                type="checkbox"
                checked={!left.includes(item)}
                onChange={({ currentTarget: { checked } }) =>
                  setLeft(checked ? left.filter((other) => other !== item) : [...left, item])
                }
              />
              {wordsOfItem(item)}
            </label>
          </li>
        ))}
      </ul>
      <ErrorBox error={error} retry={retry} />
      <p class="answers">
        <Button isOff={isOff} onClick={() => answer('declineSignIn')}>
          Decline
        </Button>
        <Button class="primary" isOff={isOff} onClick={() => answer('approveSignIn')}>
          Approve
        </Button>
      </p>
    </article>
  )
}
