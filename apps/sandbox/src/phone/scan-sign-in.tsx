import { FileButton } from '@tiwala/ui/file-button'
import { useState } from 'preact/hooks'
import { readQrImage } from '../desk/read-image.ts'
import { Button } from '../parts/button.tsx'
import { Fold } from '../parts/fold.tsx'
import { codeIn, scannedCode } from './scanned-code.ts'

/** The citizen scans the page on which a partner signs citizens in: its QR code as a picture, or its link. */
export function ScanSignIn() {
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const take = (scanned: string) => {
    const code = codeIn(scanned)
    setNote(code ? '' : 'This is not the code of a sign-in page: it begins with TWS1 or TWS2.')
    if (!code) return
    setText('')
    scannedCode.set({ code, isLinked: false })
  }
  const readFile = (file: Blob) =>
    void readQrImage(file).then(take, () => setNote('No QR code was found in this picture. Try another one.'))
  return (
    <Fold summary="Scan the code of a sign-in page">
      <label class="field">
        Its link, or what its QR code contains{' '}
        <input
          value={text}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
          onPaste={(event) => {
            const [file] = event.clipboardData?.files ?? []
            event.preventDefault()
            if (file) readFile(file)
            else take(event.clipboardData?.getData('text') ?? '')
          }}
        />
      </label>
      <p class="row">
        <Button class="compact" isOff={!text} onClick={() => take(text)}>
          Open the request
        </Button>
      </p>
      <p class="row small">
        <FileButton label="Or choose a picture of the QR code" accept="image/*" choose={readFile} /> at most 5
        seconds old
      </p>
      {note && (
        <p class="notice bad" role="alert">
          {note}
        </p>
      )}
    </Fold>
  )
}
