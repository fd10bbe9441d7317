// The fields of the filters of a list.
import { filled } from '@tiwala/ui/places'

const isTime = (name: string) => name === 'since' || name === 'until'

/** What the API gets. The fields have the time of the reader, the API has UTC. */
export const queryOf = (filters: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filled(filters)).map(([name, value]) => [
      name,
      isTime(name) && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : value,
    ]),
  )

type FieldProps = {
  label: string
  name: string
  filters: URLSearchParams
  placeholder?: string
  wide?: boolean
}

export const TextFilter = ({ label, name, filters, placeholder = '', wide = false }: FieldProps) => (
  <label class={`field ${wide ? 'wide' : ''}`}>
    {label}
    <input
      {...(isTime(name) && { type: 'datetime-local' })}
      name={name}
      defaultValue={filters.get(name) ?? ''}
      placeholder={placeholder}
      autocomplete="off"
    />
  </label>
)

/** `options`: the values, or their texts by value. */
export const ChoiceFilter = ({
  label,
  name,
  filters,
  options,
}: Omit<FieldProps, 'wide'> & { options: readonly string[] | Record<string, string> }) => (
  <label class="field">
    {label}
    <select name={name}>
      <option value="">All</option>
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
