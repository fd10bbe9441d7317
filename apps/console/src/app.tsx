import { Heading } from '@tiwala/ui/parts'
import { Views, WorkPage } from '@tiwala/ui/work-page'
import { api, mayCall, type OperatorId, readSession, type Session } from './api.ts'
import { hrefOf, type Place, usePlace, type View, VIEWS } from './location.ts'
import { Partner } from './partner.tsx'
import { Partners } from './partners.tsx'

/** What a view reads first. Without its scopes, the view is hidden. */
const READS: Record<View, OperatorId> = { partners: 'listPartners' }

export const App = () => (
  <WorkPage
    name="Console"
    readSession={readSession}
    signOut={() => api('endOwnSession', {})}
    signIn={<SignIn />}
    who={({ name, subject, environment }) => (
      <>
        {environment === 'sandbox' && <span class="badge info">sandbox</span>}
        <span class="soft small">{name ?? subject}</span>
      </>
    )}
  >
    {(session) => <Signed session={session} />}
  </WorkPage>
)

const SignIn = () => (
  <>
    <p class="lead">Partners, events, citizens and the audit of this service.</p>
    <p>
      <a class="button primary" href="sign-in">
        Sign in
      </a>
    </p>
    <p class="soft">Sign in at the identity provider of the administrators.</p>
  </>
)

function Signed({ session }: { session: Session }) {
  const place = usePlace()
  const isOpen = (view: View) => mayCall(session, READS[view])
  const views = Object.fromEntries(Object.entries(VIEWS).filter(([view]) => isOpen(view as View)))
  return (
    <Views name="Console" views={views} place={place} hrefOf={hrefOf}>
      {isOpen(place.view) ? <Shown place={place} session={session} /> : <Closed session={session} />}
    </Views>
  )
}

const Closed = ({ session }: { session: Session }) => (
  <>
    <Heading title="Console">Console</Heading>
    <p class="lead">Your scopes do not open this view.</p>
    <p>
      You have: <code>{session.scopes.join(' ')}</code>
    </p>
  </>
)

function Shown({ place: { item, filters }, session }: { place: Place; session: Session }) {
  return item ? <Partner code={item} session={session} /> : <Partners filters={filters} />
}
