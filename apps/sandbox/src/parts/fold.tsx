import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** A line that opens what belongs to it. The content exists only while it is open. */
export function Fold({
  summary,
  children,
  isOpen: isOpenAtFirst = false,
}: {
  summary: ComponentChildren
  children: ComponentChildren
  isOpen?: boolean
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && <div class="folded">{children}</div>}
    </details>
  )
}
