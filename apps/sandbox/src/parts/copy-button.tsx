import { useState } from 'preact/hooks'

const SHOWN_MS = 2_000

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <button type="button" class="plain" onClick={() => void copy()}>
      {isCopied ? 'Copied' : label}
    </button>
  )
}
