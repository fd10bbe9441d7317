import type { Schemas } from '@tiwala/contract'
import { useEffect, useState } from 'preact/hooks'
import { phoneOf } from '../http/clients.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { phoneChanges } from './consents.ts'

type Preferences = Schemas['Preferences']

/** Freeze everything, or block the partner. */
export function PrivacyView({ token }: { token: string }) {
  const { partner } = saved.get()!.sandbox
  const [preferences, setPreferences] = useState<Preferences>()
  const { isBusy, error, run, retry } = useAction()
  const changes = useStore(phoneChanges)
  const read = async () => (await phoneOf(token, 'never')('readPreferences', {})).body
  useEffect(() => run(async () => setPreferences(await read())), [token])
  // Another tab may have changed them. What was read before an act of this tab is not shown after it.
  useEffect(() => {
    let isOver = isBusy
    const refresh = () =>
      void read().then(
        (now) => isOver || setPreferences(now),
        () => {},
      )
    if (!isBusy) refresh()
    addEventListener('focus', refresh)
    return () => {
      isOver = true
      removeEventListener('focus', refresh)
    }
  }, [token, changes, isBusy])
  /** Changes one thing of what holds now: another tab may have changed the others. */
  const replace = (change: (now: Preferences) => Partial<Preferences>) =>
    run(async () => {
      const now = await read()
      const body = { ...now, ...change(now) }
      setPreferences((await phoneOf(token)('replacePreferences', { body })).body)
    })
  // A box that is disabled would lose the keyboard focus.
  const ignoreIfBusy = (event: Event) => isBusy && event.preventDefault()
  if (!preferences) return <ErrorBox error={error} retry={retry} />
  const isBlocked = preferences.blocked_partners.includes(partner.partner_code)
  return (
    <>
      <label class="switch">
        <input
          type="checkbox"
          checked={preferences.frozen}
          aria-disabled={isBusy}
          onClick={ignoreIfBusy}
          onChange={() => replace(() => ({ frozen: !preferences.frozen }))}
        />
        <span>Freeze everything: no partner gets any data</span>
      </label>
      <label class="switch">
        <input
          type="checkbox"
          checked={isBlocked}
          aria-disabled={isBusy}
          onClick={ignoreIfBusy}
          onChange={() =>
            replace(({ blocked_partners }) => {
              const others = blocked_partners.filter((code) => code !== partner.partner_code)
              return { blocked_partners: isBlocked ? others : [...others, partner.partner_code] }
            })
          }
        />
        <span>Block {partner.name}</span>
      </label>
      <p class="small">Then use the desk: it gets an error, and cannot tell the reason.</p>
      <ErrorBox error={error} retry={retry} />
    </>
  )
}
