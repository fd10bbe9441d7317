import { logo } from '@tiwala/ui/logo'
import { useEffect, useState } from 'preact/hooks'
import { api, messageOf, readSession, type Session } from './api.ts'
import { hrefOf, type Place, usePlace, type View, VIEWS } from './location.ts'
import { Members } from './members.tsx'
import { Alert } from './parts.tsx'
import { Records } from './records.tsx'
import { Request } from './request.tsx'
import { Requests } from './requests.tsx'
import { whenSessionEnds } from './use-load.ts'

/** `null`: not known yet. */
export function App() {
  const [session, setSession] = useState<Session | undefined | null>(null)
  const [error, setError] = useState('')
  useEffect(() => {
    whenSessionEnds(() => setSession(undefined))
    readSession().then(setSession, (reason: unknown) => setError(messageOf(reason)))
  }, [])
  const signOut = async () => {
    // A session that has ended already is as good.
    await api('signOut', {}).catch(() => {})
    setSession(undefined)
  }
  return (
    <>
      <header class="masthead">
        <div>
          <span dangerouslySetInnerHTML={{ __html: logo }} />
          {session && <Who session={session} signOut={signOut} />}
        </div>
      </header>
      {session && <Signed session={session} />}
      {!session && (
        <main class="column narrow">
          <h1>Workbench</h1>
          <Alert text={error} />
          {session === null && !error && <p>Loading ...</p>}
          {session === undefined && <SignIn />}
        </main>
      )}
    </>
  )
}

const SignIn = () => (
  <>
    <p class="lead">See what your servers sent, and why the service rejected a request.</p>
    <p>
      <a class="button primary" href={`sign-in${location.search}`}>
        Sign in
      </a>
    </p>
    <p class="soft">
      Sign in at the identity provider of your organization. An administrator of your organization invites
      you.
    </p>
  </>
)

function Who({ session, signOut }: { session: Session; signOut: () => void }) {
  const { partners, partner_code, partner_name, email, role, environment } = session
  const change = (event: Event) => {
    const code = (event.target as HTMLSelectElement).value
    location.href = `sign-in?${String(new URLSearchParams({ partner_code: code }))}`
  }
  return (
    <div class="who">
      {partners.length > 1 ? (
        <select class="control" aria-label="Partner" value={partner_code} onChange={change}>
          {partners.map((partner) => (
            <option key={partner.partner_code} value={partner.partner_code}>
              {partner.name}
            </option>
          ))}
        </select>
      ) : (
        <strong>{partner_name}</strong>
      )}
      {environment === 'sandbox' && <span class="badge info">sandbox</span>}
      <span class="soft small">
        {email}, {role}
      </span>
      <button type="button" class="button compact" onClick={signOut}>
        Sign out
      </button>
    </div>
  )
}

function Signed({ session }: { session: Session }) {
  const place = usePlace()
  return (
    <div class="column">
      <nav class="views" aria-label="Workbench">
        {(Object.keys(VIEWS) as View[]).map((view) => (
          <a key={view} href={hrefOf(view)} aria-current={view === place.view ? 'page' : undefined}>
            {VIEWS[view]}
          </a>
        ))}
        <a href="/docs">Documentation</a>
      </nav>
      <main key={`${place.view} ${place.item}`}>
        <Shown place={place} session={session} />
      </main>
    </div>
  )
}

function Shown({ place: { view, item, filters }, session }: { place: Place; session: Session }) {
  if (view === 'members') return <Members session={session} />
  if (view === 'records') return <Records filters={filters} />
  return item ? <Request id={item} /> : <Requests filters={filters} />
}
