import { FileButton } from '@tiwala/ui/file-button'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Icon } from '../parts/icon.tsx'
import { readQrImage } from './read-image.ts'
import type { Asking } from './use-ask.ts'

/** What a QR code of the citizen app contains. */
const QR_VALUE = /^TWQ1\w{32}$/i

/** The desk takes a QR value from the phone, the clipboard or a picture, and asks for the profile. */
export function Ask({
  asking: { isBusy, error, retry, clear, scan, qr, ask: send },
  isPending,
}: {
  asking: Asking
  /** Whether the newest record waits for the citizen: then another scan is not the next step. */
  isPending: boolean
}) {
  const [value, setValue] = useState('')
  const [note, setNote] = useState('')
  const [isOpen, setOpen] = useState(false)
  const ask = (qrValue: string, isShared: boolean) => {
    setNote('')
    send(qrValue, isShared)
  }
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
      <div class="scanner">
        <Icon name="scan" />
        <p>
          <strong>Next guest</strong>
          <span>Their phone shows a code.</span>
        </p>
        <Button
          class={isPending ? '' : 'desk-button'}
          isOff={isBusy || !scan}
          onClick={() => {
            setNote('')
            scan!()
          }}
        >
          Scan the code
        </Button>
      </div>
      <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
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
          <Button class="compact" isOff={!qr} onClick={() => take(qr!.value)}>
            Take the phone's value
          </Button>
          <Button class="compact" isOff={isBusy || !value} onClick={() => ask(value, false)}>
            Request authorization
          </Button>
          <Button class="compact" isOff={isBusy || !value} onClick={() => ask(value, true)}>
            Profile by QR value
          </Button>
        </p>
        <p class="row small">
          <FileButton label="Choose a picture of a QR code" accept="image/*" choose={readFile} /> or drop or
          paste one here
        </p>
        {note && (
          <p class="notice bad" role="alert">
            {note}
          </p>
        )}
      </details>
      <ErrorBox error={error} hasDiagnosis retry={retry} />
    </div>
  )
}
