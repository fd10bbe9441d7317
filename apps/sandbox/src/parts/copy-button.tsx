import { useState } from 'preact/hooks'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 2_000)
    })
  return (
    <button type="button" class="plain" onClick={copy}>
      {isCopied ? 'Copied' : label}
    </button>
  )
}
