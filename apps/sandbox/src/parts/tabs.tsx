import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

/** Tabs with the panel of the chosen one. The arrow keys go from tab to tab. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChange,
  children,
}: {
  label: string
  tabs: Readonly<Record<Name, ComponentChildren>>
  chosen: Name
  onChange: (name: Name) => void
  children: ComponentChildren
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const names = Object.keys(tabs) as Name[]
  const go = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const index = (names.indexOf(chosen) + step + names.length) % names.length
    onChange(names[index]!)
    ;(list.current!.children[index] as HTMLElement).focus()
  }
  return (
    <>
      <div role="tablist" aria-label={label} ref={list} onKeyDown={go}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChange(name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  )
}
