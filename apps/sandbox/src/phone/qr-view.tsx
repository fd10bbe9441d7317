import type { Schemas } from '@tiwala/contract'
import type { BootstrapCitizen } from '@tiwala/server/sandbox-bootstrap'
import { CopyButton } from '@tiwala/ui/copy-button'
import { useEffect, useRef, useState } from 'preact/hooks'
import { phoneOf } from '../http/clients.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { advancedSeconds } from '../state/begin.ts'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { QrPicture } from './qr-picture.tsx'
import { qrUsed, shownQr, usedQr } from './shown-qr.ts'

type Purpose = Schemas['QrPurpose']
const PURPOSES: Record<Purpose, string> = {
  inquire: 'Ask me first',
  share: 'Share my profile at once',
}
/** A refused code, for example of a frozen citizen, is asked for again after this time. */
const RETRY_MS = 5_000

/**
 * The citizen shows a QR code. It refreshes by itself, as in the citizen app: before it expires, and after it
 * was used. `newest`: the tracking number of the newest request, undefined until the requests were read.
 */
export function QrView({ citizen, newest }: { citizen: BootstrapCitizen; newest: string | undefined }) {
  const [purpose, setPurpose] = useState<Purpose>('inquire')
  const [isForOne, setForOne] = useState(false)
  const { partner } = useStore(saved)!.sandbox
  const [error, setError] = useState<unknown>()
  /** How often the visitor has asked for a new code. */
  const [round, setRound] = useState(0)
  const advanced = useStore(advancedSeconds)
  const shown = useStore(shownQr)
  const qr = shown?.uniqid === citizen.uniqid ? shown : undefined
  // A new request may have used the code that is shown, also one of a program outside this page.
  const known = useRef(newest)
  useEffect(() => {
    if (known.current !== undefined && known.current !== newest && qr) qrUsed(qr.value)
    known.current = newest
  }, [newest])
  const used = useStore(usedQr)
  const lastRound = useRef(round)
  useEffect(() => {
    let isOver = false
    let isQuiet = round === lastRound.current
    lastRound.current = round
    let timer: ReturnType<typeof setTimeout>
    const refresh = async () => {
      if (document.visibilityState === 'hidden') {
        timer = setTimeout(() => void refresh(), 1_000)
        return
      }
      try {
        const audience = isForOne ? { partner_code: partner.partner_code } : {}
        const issuing = phoneOf(citizen.token, isQuiet ? 'automatic' : 'always')('issueQrCode', {
          body: { purpose, ...audience },
        })
        // The codes after the one that the visitor asked for are the phone's own.
        isQuiet = true
        const { body } = await issuing
        if (isOver) return
        shownQr.set({ value: body.qr_value, purpose, uniqid: citizen.uniqid })
        setError(undefined)
        const lifeMs = Date.parse(body.expires_at) - Date.parse(body.refresh_at)
        timer = setTimeout(() => void refresh(), lifeMs)
      } catch (thrown) {
        if (isOver) return
        shownQr.set(undefined)
        setError(thrown)
        timer = setTimeout(() => void refresh(), RETRY_MS)
      }
    }
    void refresh()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [citizen.uniqid, purpose, isForOne, round, advanced, used])
  return (
    <>
      {qr && !error && (
        <div class="code-card">
          <QrPicture value={qr.value} />
          <p class="life" key={qr.value} aria-hidden="true">
            <span />
          </p>
          <p class="value">
            <code data-testid="qr-value">{qr.value}</code>
            <CopyButton text={qr.value} />
            <button type="button" class="button compact quiet" onClick={() => setRound(round + 1)}>
              New code
            </button>
          </p>
          <p class="small">Valid for one minute and one use.</p>
        </div>
      )}
      <fieldset>
        <legend>When a partner scans this code</legend>
        <div class="segments">
          {(Object.keys(PURPOSES) as Purpose[]).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="purpose"
                checked={name === purpose}
                onChange={() => setPurpose(name)}
              />
              {PURPOSES[name]}
            </label>
          ))}
        </div>
        <label class="switch">
          <input
            type="checkbox"
            checked={isForOne}
            onChange={({ currentTarget }) => setForOne(currentTarget.checked)}
          />
          <span>Only {partner.name} can use it</span>
        </label>
      </fieldset>
      <ErrorBox error={error} retry={() => setRound(round + 1)} />
    </>
  )
}
