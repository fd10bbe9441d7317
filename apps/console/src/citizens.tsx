import type { Schemas } from '@tiwala/contract'
import { CopyButton } from '@tiwala/ui/copy-button'
import { Table } from '@tiwala/ui/list'
import { useAction } from '@tiwala/ui/load'
import { Alert, Facts, Heading, State, Time } from '@tiwala/ui/parts'
import { useState } from 'preact/hooks'
import { Act, Commands, commandOf } from './act.tsx'
import { api, mayCall, type Session, unlessUnknown } from './api.ts'
import { ERASURE_WARNING } from './approvals.tsx'
import { PARTNER, PartnerLink } from './partner-link.tsx'

type Receipt = Schemas['ErasureReceipt']
type Summary = Schemas['CitizenSummary']
/** Null: there is none. `undefined`: the person may not see it. */
type Found = {
  uniqid: string
  reason: string
  summary: Summary | null | undefined
  receipt: Receipt | null | undefined
}

/** The identifier is not in the address of the page, which the browser keeps in its history. */
export function Citizens({ session }: { session: Session }) {
  const [found, setFound] = useState<Found>()
  const action = useAction()
  const mayRead = mayCall(session, 'readCitizen')
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.target as HTMLFormElement)
    const valueOf = (name: string) => ((fields.get(name) ?? '') as string).trim()
    const [uniqid, reason] = [valueOf('uniqid'), valueOf('reason')]
    const path = { uniqid }
    void action.run(async () => {
      setFound(undefined)
      const summary = mayRead
        ? await unlessUnknown(api('readCitizen', { path, query: { reason } }))
        : undefined
      const mayBeErased = !summary && mayCall(session, 'readErasure')
      const receipt = mayBeErased ? await unlessUnknown(api('readErasure', { path })) : undefined
      setFound({ uniqid, reason, summary, receipt })
    })
  }
  return (
    <>
      <Heading title="Citizens">Citizens</Heading>
      <p class="lead">
        Look up one citizen by identifier: open requests, what partners received, and disputes. The page shows
        no profile. You can also erase the citizen.
      </p>
      <form class="filters" onSubmit={find} aria-label="Find a citizen">
        <label class="field wide">
          Identifier (uniqid)
          <input name="uniqid" required autocomplete="off" spellcheck={false} placeholder="CTZ-..." />
        </label>
        {mayRead && (
          <label class="field wide">
            Why you look, for the audit
            <input name="reason" required maxLength={500} autocomplete="off" placeholder="Ticket 4711" />
          </label>
        )}
        <button class="button primary" aria-disabled={action.isBusy}>
          Open
        </button>
      </form>
      <Alert text={action.error} />
      {found && (
        <FoundCitizen {...found} session={session} erased={(receipt) => setFound({ ...found, receipt })} />
      )}
    </>
  )
}

type FoundProps = Found & { session: Session; erased: (receipt: Receipt) => void }

function FoundCitizen({ uniqid, reason, summary, receipt, session, erased }: FoundProps) {
  if (receipt) return <Erased receipt={receipt} uniqid={uniqid} />
  return (
    <>
      {summary ? (
        <Open summary={summary} uniqid={uniqid} />
      ) : (
        <p>
          {summary === null && 'The service has no citizen with this identifier. '}
          {receipt === null && 'No citizen with this identifier was erased. '}
          {summary === undefined && 'Your scopes do not show whether the service has one.'}
        </p>
      )}
      {summary !== undefined && <Commands of={[commandOf('readCitizen', { uniqid }, { reason })]} />}
      {summary !== null && (
        <Erase key={uniqid} session={session} uniqid={uniqid} done={(body) => erased(body as Receipt)} />
      )}
    </>
  )
}

const Erase = (props: { session: Session; uniqid: string; done: (body: unknown) => void }) =>
  mayCall(props.session, 'eraseCitizen') ? (
    <>
      <h2>Erase this citizen</h2>
      <p>{ERASURE_WARNING}</p>
      <Act
        {...props}
        id="eraseCitizen"
        path={{ uniqid: props.uniqid }}
        label="Erase"
        title="Erase this citizen"
        did="Erased"
        tone="bad"
        warning={ERASURE_WARNING}
        expected={props.uniqid}
      />
    </>
  ) : null

export const WAYS: Record<Summary['disclosures'][number]['way'], string> = {
  INQUIRE: 'by request',
  QR: 'by QR code',
  SSO: 'by sign-in',
}

const Open = ({ summary, uniqid }: { summary: Summary; uniqid: string }) => (
  <>
    <Facts
      of={{
        Identifier: <code>{uniqid}</code>,
        'Last written': summary.changed_at ? (
          <Time at={summary.changed_at} />
        ) : (
          'not within the audit of this database'
        ),
        Preferences: `${summary.frozen ? 'everything is frozen' : 'not frozen'}, ${summary.blocked_partners} blocked partners`,
      }}
    />
    <h2>Open requests</h2>
    <Table
      caption="Open requests, newest first"
      empty="No partner waits for an answer."
      rows={summary.open_requests}
      keyOf={({ tracking_no }) => tracking_no}
      columns={[
        PARTNER,
        { title: 'Tracking number', cell: ({ tracking_no }) => <code>{tracking_no}</code> },
        { title: 'State', cell: ({ state }) => <State state={state} /> },
        { title: 'Requested', cell: ({ requested_at }) => <Time at={requested_at} /> },
      ]}
    />
    <h2>What partners received</h2>
    <Table
      caption="Disclosures, newest first"
      empty="No partner received data of this citizen."
      rows={summary.disclosures}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Partner',
          cell: ({ partner }) => <PartnerLink code={partner.partner_code} name={partner.name} />,
        },
        { title: 'Time', cell: ({ disclosed_at }) => <Time at={disclosed_at} /> },
        {
          title: 'Way',
          cell: ({ way, disputed_at }) => (
            <>
              {WAYS[way]} {disputed_at && <span class="badge warn">disputed</span>}
            </>
          ),
        },
        { title: 'Purpose', cell: ({ partner }) => partner.purpose },
      ]}
    />
    {summary.disputes.length > 0 && (
      <>
        <h2>Disputes</h2>
        <Table
          caption="Disputes, newest first"
          rows={summary.disputes}
          keyOf={({ disclosure_id }) => disclosure_id}
          columns={[
            PARTNER,
            { title: 'Disputed', cell: ({ disputed_at }) => <Time at={disputed_at} /> },
            { title: 'Disclosed', cell: ({ disclosed_at }) => <Time at={disclosed_at} /> },
          ]}
        />
      </>
    )}
  </>
)

const Erased = ({
  receipt: { erased_at, subject, receipt },
  uniqid,
}: {
  receipt: Receipt
  uniqid: string
}) => (
  <>
    <p class="notice good">
      This citizen is erased. Keep the receipt: it is the signed proof, and it does not name the citizen.
    </p>
    <Facts
      of={{
        Erased: <Time at={erased_at} />,
        'Internal ID': <code>{subject}</code>,
        Receipt: (
          <>
            <CopyButton text={receipt} label="Copy the receipt" />
            <details>
              <summary>Show</summary>
              <code>{receipt}</code>
            </details>
          </>
        ),
      }}
    />
    <Commands of={[commandOf('readErasure', { uniqid })]} />
  </>
)
