import { toast } from './toast.ts'

/** Copies the text that is shown beside it. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const copy = async (button: HTMLButtonElement) => {
    try {
      await navigator.clipboard.writeText(text)
      toast('Copied')
    } catch {
      // Browsers have a clipboard on secure origins only, and the visitor may refuse it.
      const shown = button.parentElement!.querySelector('code')
      if (shown) getSelection()!.selectAllChildren(shown)
      toast('Selected: press Ctrl+C')
    }
  }
  return (
    <button
      type="button"
      class="button compact quiet"
      onClick={({ currentTarget }) => void copy(currentTarget)}
    >
      {label}
    </button>
  )
}
