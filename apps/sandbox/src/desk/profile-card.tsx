import type { Schemas } from '@tiwala/client'
import { Icon } from '../parts/icon.tsx'

type Values = Record<string, unknown>

/**
 * A profile as the partner received it, with the names of the API. Null is shown as such: a partner's program
 * must expect it.
 */
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
    <article class="profile" aria-label="Profile">
      <header>
        {photo && <img src={ownPath(photo)} alt={`Photo of ${name}`} width="72" height="72" />}
        <div>
          <h4>{name}</h4>
          <p class="verified">
            <Icon name="shield" /> From the government's registry
          </p>
        </div>
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
    <dl class="fields">
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
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
