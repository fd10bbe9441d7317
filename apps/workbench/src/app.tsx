import { Views, WorkPage } from '@tiwala/ui/work-page'
import { api, readSession, type Session } from './api.ts'
import { Credentials } from './credentials.tsx'
import { Delivery } from './delivery.tsx'
import { Events } from './events.tsx'
import { Figures } from './figures.tsx'
import { GoingLive } from './going-live.tsx'
import { hrefOf, type Place, usePlace, type View, VIEWS } from './location.ts'
import { Members } from './members.tsx'
import { Records } from './records.tsx'
import { Request } from './request.tsx'
import { Requests } from './requests.tsx'
import { Settings } from './settings.tsx'
import { type NewSecrets, useNewSecrets } from './use-new-secrets.ts'

export const App = () => (
  <WorkPage
    name="Workbench"
    readSession={readSession}
    signOut={() => api('signOut', {})}
    signIn={<SignIn />}
    who={(session) => <Who session={session} />}
  >
    {(session) => <Signed session={session} />}
  </WorkPage>
)

const SignIn = () => (
  <>
    <p class="lead">See what your servers sent, and why the service rejected a request.</p>
    <p>
      <a class="button primary" href={`sign-in${location.search}`}>
        Sign in
      </a>
    </p>
    <p class="soft">
      Sign in at the identity provider of your organization. An admin of your organization invites you.
    </p>
  </>
)

function Who({ session }: { session: Session }) {
  const { partners, partner_code, partner_name, email, role, environment } = session
  const change = (event: SubmitEvent) => {
    event.preventDefault()
    const code = new FormData(event.target as HTMLFormElement).get('partner_code') as string
    location.href = `sign-in?${String(new URLSearchParams({ partner_code: code }))}`
  }
  return (
    <>
      {partners.length > 1 ? (
        // With the arrow keys, some browsers choose each partner on the way to the wanted one.
        <form class="row" onSubmit={change}>
          <select class="control" aria-label="Partner" name="partner_code">
            {partners.map((partner) => (
              <option
                key={partner.partner_code}
                value={partner.partner_code}
                selected={partner.partner_code === partner_code}
              >
                {partner.name}
              </option>
            ))}
          </select>
          <button class="button compact">Change</button>
        </form>
      ) : (
        <strong>{partner_name}</strong>
      )}
      {environment === 'sandbox' && <span class="badge info">sandbox</span>}
      <span class="person soft small">
        <span title={email}>{email}</span>
        <span class="badge">{role}</span>
      </span>
    </>
  )
}

const ALL = Object.keys(VIEWS) as View[]
/** Whether a partner may go live is checked before. */
const LIVE = ALL.filter((view) => view !== 'going-live')

function Signed({ session }: { session: Session }) {
  const place = usePlace()
  const newSecrets = useNewSecrets()
  return (
    <Views
      name="Workbench"
      views={VIEWS}
      groups={{ Workbench: session.environment === 'sandbox' ? ALL : LIVE }}
      place={place}
      hrefOf={hrefOf}
    >
      <Shown place={place} session={session} newSecrets={newSecrets} />
    </Views>
  )
}

type ShownProps = { place: Place; session: Session; newSecrets: NewSecrets }

function Shown({ place: { view, item, filters }, session, newSecrets }: ShownProps) {
  if (view === 'members') return <Members session={session} />
  if (view === 'credentials') return <Credentials session={session} newSecrets={newSecrets} />
  if (view === 'settings') return <Settings session={session} />
  if (view === 'going-live') return <GoingLive session={session} />
  if (view === 'figures') return <Figures filters={filters} />
  if (view === 'records') return <Records filters={filters} />
  if (view === 'events')
    return item ? (
      <Delivery id={item} session={session} />
    ) : (
      <Events filters={filters} session={session} newSecrets={newSecrets} />
    )
  return item ? <Request id={item} /> : <Requests filters={filters} />
}
