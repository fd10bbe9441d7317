import { useState } from 'preact/hooks'
import { deskOf } from '../http/clients.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { qrUsed, useShownQr } from '../phone/shown-qr.ts'
import { addRecord, save, saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { firstAnswers } from './first-answers.ts'
import { readQrImage } from './read-image.ts'

/** What a QR code of the citizen app contains. */
const QR_VALUE = /^TWQ1\w{32}$/

/** The desk takes a QR value from the phone, the clipboard or a picture, and asks for the profile. */
export function Ask() {
  const [value, setValue] = useState('')
  const [note, setNote] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { isBusy, error, run, retry, clear } = useAction()
  const qr = useShownQr()
  /** A value made for sharing gives the profile at once. The value itself does not show its purpose. */
  const ask = (qrValue: string, isShared: boolean) =>
    run(async () => {
      setNote('')
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
    setNote('')
    setValue(text)
  }
  const readFile = async (file: Blob) => {
    setNote('')
    if (!file.type.startsWith('image/')) setNote('This file is not a picture. Choose a picture of a QR code.')
    else
      await readQrImage(file).then(take, () =>
        setNote('No QR code was found in this picture. Try another one.'),
      )
  }
  const readDropped = (dropped: DataTransfer) => {
    setOpen(true)
    const [file] = dropped.files
    const text = dropped.getData('text').trim()
    if (file) void readFile(file)
    else if (QR_VALUE.test(text)) take(text)
    else setNote('This is not a QR value: a QR value has 36 characters and begins with TWQ1.')
  }
  return (
    <div
      class="ask"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        readDropped(event.dataTransfer!)
      }}
      onPaste={(event) => {
        const file = event.clipboardData?.files[0]
        if (!file) return
        event.preventDefault()
        void readFile(file)
      }}
    >
      <p class="row">
        <Button class="main" isOff={isBusy || !qr} onClick={() => ask(qr!.value, qr!.purpose === 'share')}>
          Scan the phone's code and ask
        </Button>
      </p>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
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
          <Button isOff={!qr} onClick={() => take(qr!.value)}>
            Take the phone's value
          </Button>
          <Button isOff={isBusy || !value} onClick={() => ask(value, false)}>
            Request authorization
          </Button>
          <Button isOff={isBusy || !value} onClick={() => ask(value, true)}>
            Profile by QR value
          </Button>
        </p>
        <label class="field">
          Picture of a QR code (or drop or paste one here){' '}
          <input
            type="file"
            accept="image/*"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              if (file) void readFile(file)
            }}
          />
        </label>
        {note && (
          <p class="error" role="alert">
            {note}
          </p>
        )}
      </details>
      <ErrorBox error={error} hasDiagnosis retry={retry} />
    </div>
  )
}
