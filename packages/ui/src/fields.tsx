// The fields of a form. `Filters` fills in those of a filter.
import type { ComponentProps } from 'preact'
import { filled } from './places.ts'

type FieldProps = { label: string; name: string }

export const TextField = ({
  label,
  wide,
  ...input
}: ComponentProps<'input'> & FieldProps & { wide?: boolean }) => (
  <label class={wide ? 'field wide' : 'field'}>
    {label}
    <input autocomplete="off" spellcheck={false} {...input} />
  </label>
)

/** The names of the fields for times. */
const TIMES = ['since', 'until', 'from', 'to'] as const
const isTime = (name: string, value: string) =>
  TIMES.some((time) => time === name) && !Number.isNaN(Date.parse(value))

/** What the field of a filter shows: a time in the zone of the reader. */
export function fieldValueOf(name: string, filters: URLSearchParams): string {
  const value = filters.get(name) ?? ''
  if (!isTime(name, value)) return value
  const time = new Date(value)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const TimeField = ({ label, name }: { label: string; name: (typeof TIMES)[number] }) => (
  <label class="field">
    {label}
    <input type="datetime-local" name={name} />
  </label>
)

/** `options`: the values, or their texts by value. `none`: the text of no choice, or empty if there must be one. */
export const ChoiceField = ({
  label,
  name,
  options,
  none = 'All',
}: FieldProps & { options: readonly string[] | Record<string, string>; none?: string }) => (
  <label class="field">
    {label}
    <select name={name}>
      {none && <option value="">{none}</option>}
      {Object.entries(options).map(([key, text]) => {
        const value = Array.isArray(options) ? text : key
        return (
          <option key={value} value={value}>
            {text}
          </option>
        )
      })}
    </select>
  </label>
)

/** The filters that have a value, as the API and the address have them: with times in UTC. */
export const queryOf = (filters: Iterable<[string, FormDataEntryValue]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filled(filters)).map(([name, value]) => [
      name,
      isTime(name, value) ? new Date(value).toISOString() : value,
    ]),
  )
