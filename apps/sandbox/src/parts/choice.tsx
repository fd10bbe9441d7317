/** Buttons of which one is pressed. `options`: the text of each value. */
export function Choice<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <div class="row" role="group" aria-label={label}>
      {(Object.keys(options) as Value[]).map((name) => (
        <button
          key={name}
          type="button"
          class="plain"
          aria-pressed={name === value}
          onClick={() => onChange(name)}
        >
          {options[name]}
        </button>
      ))}
    </div>
  )
}
