// The fields of a filter form.
import { filled } from './places.ts'

type FieldProps = { label: string; name: string; filters: URLSearchParams }

export const TextField = ({
  label,
  name,
  filters,
  wide,
  ...input
}: FieldProps & { wide?: boolean; required?: boolean; placeholder?: string }) => (
  <label class={wide ? 'field wide' : 'field'}>
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

/** The names of the fields for times. */
const TIMES = ['since', 'until', 'from', 'to'] as const

export const TimeField = ({
  label,
  name,
  filters,
}: Omit<FieldProps, 'name'> & { name: (typeof TIMES)[number] }) => (
  <label class="field">
    {label}
    <input type="datetime-local" name={name} defaultValue={filters.get(name) ?? ''} />
  </label>
)

/** `options`: the values, or their texts by value. `none`: the text of no choice. */
export const ChoiceField = ({
  label,
  name,
  filters,
  options,
  none = 'All',
}: FieldProps & { options: readonly string[] | Record<string, string>; none?: string }) => (
  <label class="field">
    {label}
    <select name={name}>
      <option value="">{none}</option>
      {Object.entries(options).map(([key, text]) => {
        const value = Array.isArray(options) ? text : key
        return (
          <option key={value} value={value} selected={value === filters.get(name)}>
            {text}
          </option>
        )
      })}
    </select>
  </label>
)

/** The filters that have a value, as the API gets them. The fields have the time of the reader, the API has UTC. */
export const queryOf = (filters: Iterable<[string, FormDataEntryValue]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filled(filters)).map(([name, value]) => [
      name,
      TIMES.some((time) => time === name) && !Number.isNaN(Date.parse(value))
        ? new Date(value).toISOString()
        : value,
    ]),
  )
