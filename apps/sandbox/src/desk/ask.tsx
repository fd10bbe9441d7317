import { useState } from 'preact/hooks'
import { deskOf } from '../http/clients.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { qrUsed, useShownQr } from '../phone/shown-qr.ts'
import { addRecord, save, saved } from '../state/sandbox.ts'
import { useAct } from '../state/use-act.ts'
import { firstAnswers } from './first-answers.ts'
import { readQrImage } from './read-image.ts'

/** The desk takes a QR value from the phone, the clipboard or a picture, and asks for the profile. */
export function Ask() {
  const [value, setValue] = useState('')
  const [note, setNote] = useState('')
  const { isBusy, error, run, retry, clear } = useAct()
  const qr = useShownQr()
  /** A value made for sharing gives the profile at once. The value itself does not show its purpose. */
  const ask = (qrValue: string, isShared: boolean) =>
    run(async () => {
      const { sandbox } = saved.get()!
      const desk = deskOf(sandbox)
      save(sandbox, () => ({ isAsking: true }))
      const asking = isShared ? desk.profileByQr(qrValue) : desk.requestAuthorization(qrValue)
      const answer = await asking.finally(() => qrUsed(qrValue))
      // Not after an error: a reload ends the request with one.
      save(sandbox, () => ({ isAsking: false }))
      firstAnswers.set(answer.record.tracking_no, answer)
      addRecord(sandbox, answer.record.tracking_no)
    })
  const take = (text: string) => {
    clear()
    setValue(text)
  }
  const readFile = async (file: Blob | undefined) => {
    if (!file) return
    setNote('')
    await readQrImage(file).then(take, () =>
      setNote('No QR code was found in this picture. Try another one.'),
    )
  }
  return (
    <div
      class="ask"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void readFile(event.dataTransfer?.files[0])
      }}
    >
      <p class="row">
        <button
          type="button"
          class="main"
          disabled={isBusy || !qr}
          onClick={() => ask(qr!.value, qr!.purpose === 'share')}
        >
          Scan the phone's code and ask
        </button>
      </p>
      <details>
        <summary>Or step by step: take, paste or drop a QR code</summary>
        <label class="field">
          QR value{' '}
          <input
            value={value}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => take(event.currentTarget.value.trim())}
          />
        </label>
        <p class="row">
          <button type="button" disabled={!qr} onClick={() => take(qr!.value)}>
            Take the phone's value
          </button>
          <button type="button" disabled={isBusy || !value} onClick={() => ask(value, false)}>
            Request authorization
          </button>
          <button type="button" disabled={isBusy || !value} onClick={() => ask(value, true)}>
            Profile by QR value
          </button>
        </p>
        <label class="field">
          Picture of a QR code (or drop one here){' '}
          <input
            type="file"
            accept="image/*"
            onChange={(event) => void readFile(event.currentTarget.files?.[0])}
          />
        </label>
        {note && <p role="alert">{note}</p>}
      </details>
      <ErrorBox error={error} hasDiagnosis retry={retry} />
    </div>
  )
}
