import type { Schemas } from '@tiwala/client'

const LABELS: Record<string, string> = { uniqid: 'Identifier' }
const labelOf = (name: string) => LABELS[name] ?? name.replaceAll('_', ' ')

type Values = Record<string, unknown>

/** A profile as the partner received it. Null is shown as such: a partner's program must expect it. */
export function ProfileCard({ profile }: { profile: Values }) {
  const { photo, passport, ...fields } = profile as Values & {
    photo?: string
    passport?: Schemas['Passport']
  }
  const name = ['first_name', 'middle_name', 'last_name', 'suffix']
    .map((field) => fields[field])
    .filter(Boolean)
    .join(' ')
  return (
    <article class="card profile" aria-label="Profile">
      <header class="row">
        {photo && <img src={ownPath(photo)} alt={`Photo of ${name}`} width="72" height="72" />}
        <h4>{name}</h4>
      </header>
      <Fields values={fields} />
      {passport && (
        <>
          <h4>Passport</h4>
          {!passport.passport_number && <p>This citizen has no passport: every field is empty.</p>}
          <Fields values={passport} />
        </>
      )}
    </article>
  )
}

function Fields({ values }: { values: object }) {
  return (
    <dl>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>{value === null ? <em>null</em> : value === '' ? <em>empty</em> : String(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The photos are at this server. It may have another name in the browser than in its settings. */
function ownPath(photo: string): string {
  const { pathname } = new URL(photo)
  return pathname
}
