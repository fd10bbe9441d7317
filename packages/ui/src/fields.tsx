// The fields of a filter form.

type FieldProps = { label: string; name: string; filters: URLSearchParams }

export const TextField = ({
  label,
  name,
  filters,
  ...input
}: FieldProps & { required?: boolean; placeholder?: string }) => (
  <label class="field">
    {label}
    <input
      name={name}
      defaultValue={filters.get(name) ?? ''}
      autocomplete="off"
      spellcheck={false}
      {...input}
    />
  </label>
)

export const TimeField = ({ label, name, filters }: FieldProps) => (
  <label class="field">
    {label}
    <input type="datetime-local" name={name} defaultValue={filters.get(name) ?? ''} />
  </label>
)

/** `none`: the text of no choice. */
export const ChoiceField = ({
  label,
  name,
  filters,
  values,
  none = 'All',
}: FieldProps & { values: readonly string[]; none?: string }) => (
  <label class="field">
    {label}
    <select name={name}>
      {['', ...values].map((value) => (
        <option key={value} value={value} selected={value === (filters.get(name) ?? '')}>
          {value || none}
        </option>
      ))}
    </select>
  </label>
)

/** The filters that have a value. The fields of `times` have the time of the reader, the API has UTC. */
export function queryOf(filters: URLSearchParams, ...times: string[]): Record<string, string> {
  const isTime = (name: string, value: string) => times.includes(name) && !Number.isNaN(Date.parse(value))
  return Object.fromEntries(
    [...filters]
      .filter(([, value]) => value)
      .map(([name, value]) => [name, isTime(name, value) ? new Date(value).toISOString() : value]),
  )
}
