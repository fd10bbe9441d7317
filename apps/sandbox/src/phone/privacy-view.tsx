import type { Schemas } from '@tiwala/contract'
import { useEffect, useState } from 'preact/hooks'
import { phoneOf } from '../http/clients.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { saved } from '../state/sandbox.ts'
import { useAct } from '../state/use-act.ts'

/** Freeze everything, or block the partner. */
export function PrivacyView({ token }: { token: string }) {
  const { partner } = saved.get()!.sandbox
  const [preferences, setPreferences] = useState<Schemas['Preferences']>()
  const { isBusy, error, run, retry } = useAct()
  useEffect(
    () => run(async () => setPreferences((await phoneOf(token, true)('readPreferences', {})).body)),
    [token],
  )
  const replace = (body: Schemas['Preferences']) =>
    run(async () => setPreferences((await phoneOf(token)('replacePreferences', { body })).body))
  if (!preferences) return <ErrorBox error={error} retry={retry} />
  const isBlocked = preferences.blocked_partners.includes(partner.partner_code)
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={preferences.frozen}
          disabled={isBusy}
          onChange={() => replace({ ...preferences, frozen: !preferences.frozen })}
        />
        Freeze everything: no partner gets any data
      </label>
      <label>
        <input
          type="checkbox"
          checked={isBlocked}
          disabled={isBusy}
          onChange={() =>
            replace({ ...preferences, blocked_partners: isBlocked ? [] : [partner.partner_code] })
          }
        />
        Block {partner.name}
      </label>
      <p class="small">Then use the desk: it gets an error, and cannot tell the reason.</p>
      <ErrorBox error={error} retry={retry} />
    </>
  )
}
