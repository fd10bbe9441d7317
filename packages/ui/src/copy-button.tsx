import { useRef, useState } from 'preact/hooks'

const SHOWN_MS = 2_000

/** Copies the text that is shown beside it. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [note, setNote] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setNote('Copied')
      setTimeout(() => setNote(undefined), SHOWN_MS)
    } catch {
      // Browsers have a clipboard on secure origins only, and the visitor may refuse it.
      const shown = button.current!.parentElement!.querySelector('code')
      if (shown) getSelection()!.selectAllChildren(shown)
      setNote('Selected: press Ctrl+C')
    }
  }
  return (
    <button type="button" class="button compact quiet" ref={button} onClick={() => void copy()}>
      {note ?? label}
    </button>
  )
}
