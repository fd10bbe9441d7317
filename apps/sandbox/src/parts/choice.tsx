import type { ComponentChildren } from 'preact'

/** Buttons of which one is pressed. `options`: the content of each value. */
export function Choice<Value extends string>({
  label,
  options,
  value,
  onChange,
  class: className = 'segments',
}: {
  label: string
  options: Readonly<Record<Value, ComponentChildren>>
  value: Value
  onChange: (value: Value) => void
  class?: string
}) {
  return (
    <div class={className} role="group" aria-label={label}>
      {(Object.keys(options) as Value[]).map((name) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => onChange(name)}>
          {options[name]}
        </button>
      ))}
    </div>
  )
}
