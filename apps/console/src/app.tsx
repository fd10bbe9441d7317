import { useLoad } from '@tiwala/ui/load'
import { Heading } from '@tiwala/ui/parts'
import { Views, WorkPage } from '@tiwala/ui/work-page'
import { useEffect } from 'preact/hooks'
import { Anomalies } from './anomalies.tsx'
import { api, mayCall, type OperatorId, readSession, type Session } from './api.ts'
import { Approval, Approvals } from './approvals.tsx'
import { Audit } from './audit.tsx'
import { Citizens } from './citizens.tsx'
import { Deliveries } from './deliveries.tsx'
import { Disputes } from './disputes.tsx'
import { Fleet } from './fleet.tsx'
import { Keys } from './keys.tsx'
import { GROUPS, hrefOf, type Place, usePlace, type View, VIEWS } from './location.ts'
import { Partner } from './partner.tsx'
import { Partners } from './partners.tsx'
import { People } from './people.tsx'
import { Refusal, Refusals } from './refusals.tsx'
import { Use } from './use.tsx'

/** What a view reads first. Without the scopes of any, the view is hidden. */
const READS: Record<View, OperatorId | OperatorId[]> = {
  partners: 'listPartners',
  refusals: 'listPartnerRequests',
  use: 'listUse',
  anomalies: 'listAnomalies',
  approvals: 'listApprovals',
  deliveries: 'listDeliveries',
  citizens: ['readCitizen', 'readErasure'],
  disputes: 'listDisputes',
  audit: 'listAuditEvents',
  keys: 'listKeys',
  fleet: 'readFleet',
  people: 'listOperators',
}

export const App = () => (
  <WorkPage
    name="Console"
    readSession={readSession}
    signOut={() => api('endOwnSession', {})}
    signIn={<SignIn />}
    who={({ name, subject, environment }) => (
      <>
        {environment === 'sandbox' && <span class="badge info">sandbox</span>}
        <span class="person soft small">
          <span title={subject}>{name ?? subject}</span>
        </span>
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
  const isOpen = (view: View) => [READS[view]].flat().some((id) => mayCall(session, id))
  const groups = Object.fromEntries(
    Object.entries(GROUPS)
      .map(([group, views]) => [group, views.filter(isOpen)] as const)
      .filter(([, views]) => views.length > 0),
  )
  // Without an address, the first view that the person can open.
  const [first] = Object.values(groups).flat()
  const shown = location.hash || !first ? place : { ...place, view: first }
  const { value: waiting, reload } = useLoad('waiting', () => readWaiting(session))
  // The numbers of before stay until the new ones are read.
  useEffect(() => {
    const listening = new AbortController()
    for (const event of ['hashchange', 'acted']) addEventListener(event, reload, listening)
    return () => listening.abort()
  }, [reload])
  return (
    <Views
      name="Console"
      views={VIEWS}
      groups={groups}
      {...(waiting && { waiting })}
      place={shown}
      hrefOf={hrefOf}
    >
      {isOpen(shown.view) ? <Shown place={shown} session={session} /> : <Closed session={session} />}
    </Views>
  )
}

/** How many approvals and alarms are open, up to the size of a page. */
async function readWaiting(session: Session): Promise<Partial<Record<View, string>>> {
  const [approvals, anomalies] = await Promise.all([
    mayCall(session, 'listApprovals') && api('listApprovals', { query: { status: 'PENDING', limit: PAGE } }),
    mayCall(session, 'listAnomalies') && api('listAnomalies', { query: { open: true, limit: PAGE } }),
  ])
  return {
    ...(approvals && { approvals: toCount(approvals.body.approvals, approvals.body.next_cursor) }),
    ...(anomalies && { anomalies: toCount(anomalies.body.anomalies, anomalies.body.next_cursor) }),
  }
}

const PAGE = 100
const toCount = ({ length }: unknown[], next: string | null) =>
  length > 0 ? `${length}${next === null ? '' : '+'}` : ''

const Closed = ({ session }: { session: Session }) => (
  <>
    <Heading title="Console">Console</Heading>
    <p class="lead">Your scopes do not open this view.</p>
    <p>
      You have: <code>{session.scopes.join(' ')}</code>
    </p>
  </>
)

function Shown({ place: { view, item, filters }, session }: { place: Place; session: Session }) {
  if (view === 'refusals') return item ? <Refusal id={item} /> : <Refusals filters={filters} />
  if (view === 'use') return <Use filters={filters} />
  if (view === 'anomalies') return <Anomalies filters={filters} session={session} />
  if (view === 'approvals')
    return item ? <Approval id={item} session={session} /> : <Approvals filters={filters} />
  if (view === 'deliveries') return <Deliveries filters={filters} session={session} />
  if (view === 'citizens') return <Citizens session={session} />
  if (view === 'disputes') return <Disputes filters={filters} />
  if (view === 'audit') return <Audit filters={filters} />
  if (view === 'keys') return <Keys session={session} />
  if (view === 'fleet') return <Fleet />
  if (view === 'people') return <People session={session} />
  return item ? <Partner code={item} session={session} /> : <Partners filters={filters} />
}
