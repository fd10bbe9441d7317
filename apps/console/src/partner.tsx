import type { Schemas } from '@tiwala/contract'
import { Columns } from '@tiwala/ui/chart'
import { ErrorCodes, HOUR, Limits, RESULTS } from '@tiwala/ui/figures'
import { withFullName, wordsOfItem } from '@tiwala/ui/item-words'
import { Table } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, Day, Facts, Heading, isEndless, State, Time } from '@tiwala/ui/parts'
import { CREDENTIAL_LABELS, SETTING_LABELS } from '@tiwala/ui/setting-labels'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Act, commandOf, Commands } from './act.tsx'
import { PartnerAnomalies } from './anomalies.tsx'
import { api, mayCall, type OperatorId, type Session, unlessUnknown } from './api.ts'
import { SUSPENSION_WARNING, Waiting } from './approvals.tsx'
import { GoingLive } from './going-live.tsx'
import { hrefOf } from './location.ts'
import { wordsOfScope } from './scopes.ts'

const DAY_MS = 86_400_000
const SOON_DAYS = 30

export function Partner({ code, session }: { code: string; session: Session }) {
  const path = { partner_code: code }
  const { value, error, reload } = useLoad(code, async () => (await api('readPartner', { path })).body)
  const [similar, setSimilar] = useState<string[]>([])
  const resumed = (body: unknown) => {
    setSimilar((body as Schemas['Partner']).similar_partners ?? [])
    reload()
  }
  return (
    <>
      <p>
        <a href={hrefOf('partners')}>All partners</a>
      </p>
      <Heading title={code}>{value?.name ?? code}</Heading>
      <Alert text={error} retry={reload} />
      {value && (
        <>
          <PartnerFacts partner={value} />
          {similar.length > 0 && (
            <p class="notice warn" role="status">
              A citizen could take its name for that of another partner:{' '}
              {similar.map((other, index) => (
                <>
                  {index > 0 && ', '}
                  <a href={hrefOf('partners', other)}>{other}</a>
                </>
              ))}
            </p>
          )}
          <div class="row">
            {mayCall(session, 'listPartnerRequests') && (
              <>
                <a class="button" href={hrefOf('refusals', '', String(new URLSearchParams(path)))}>
                  Its rejected requests
                </a>
                <a class="button" href={hrefOf('use', '', String(new URLSearchParams(path)))}>
                  What it uses
                </a>
              </>
            )}
            {value.status === 'ACTIVE' ? (
              <Act
                session={session}
                id="suspendPartner"
                path={path}
                label="Suspend"
                title={`Suspend ${value.name}`}
                did="Suspended"
                tone="bad"
                warning={SUSPENSION_WARNING}
                expected={code}
                done={reload}
              />
            ) : (
              <Act
                session={session}
                id="resumePartner"
                path={path}
                label="Resume"
                title={`Resume ${value.name}`}
                did="Resumed"
                warning="The partner can send requests again."
                expected={code}
                done={resumed}
              />
            )}
          </div>
          {mayCall(session, 'listApprovals') && <Waiting code={code} />}
          {value.going_live && (
            <GoingLive
              state={value.going_live}
              name={value.name}
              path={path}
              session={session}
              done={reload}
            />
          )}
          <Section
            session={session}
            id="readPartnerFigures"
            code={code}
            title="Last 24 hours"
            show={Figures}
          />
          <Section session={session} id="listAnomalies" code={code} title="Alarms" show={PartnerAnomalies} />
          <Section session={session} id="listCredentials" code={code} title="Secrets" show={Secrets} />
          <Section
            session={session}
            id="readSignInRegistration"
            code={code}
            title="Purposes"
            missing="The partner is not registered for sign-in."
            show={Purposes}
          />
          <Section session={session} id="listDeliveries" code={code} title="Callback" show={Callback} />
          <Section session={session} id="listPartnerMembers" code={code} title="Members" show={Members} />
          <Commands
            of={(Object.keys(SECTIONS) as SectionId[])
              .filter((id) => mayCall(session, id))
              .map((id) => (SECTIONS[id] === 'path' ? commandOf(id, path) : commandOf(id, {}, path)))}
          />
        </>
      )}
    </>
  )
}

const LIMITS: Record<keyof Schemas['PartnerLimits'], string> = {
  requests_per_minute: 'requests a minute',
  views_per_minute: 'views by QR a minute',
  tokens_per_minute: 'tokens a minute',
  sign_ins_per_minute: 'sign-ins a minute',
  per_day: 'a day',
}

function PartnerFacts({ partner }: { partner: Schemas['Partner'] }) {
  const limits = Object.entries(LIMITS).flatMap(([name, text]) => {
    const limit = partner.limits[name as keyof typeof LIMITS]
    return limit === null ? [] : [`${limit.toLocaleString('en')} ${text}`]
  })
  return (
    <Facts
      of={{
        Status: <State state={partner.status} />,
        Code: <code>{partner.partner_code}</code>,
        Purpose: partner.purpose,
        Scopes: partner.scopes.map(wordsOfScope).join(', ') || 'none',
        'Own limits': limits.join(', ') || 'none: those of the service',
        [SETTING_LABELS.ip_allow_list]: partner.ip_allow_list.join(', ') || 'any',
        [SETTING_LABELS.callback_url]: partner.callback_url ?? 'none',
        [SETTING_LABELS.sso_url]: partner.sso_url ?? 'none',
        Created: <Time at={partner.created_at} />,
      }}
    />
  )
}

/** The operations of the sections, and where each takes the code of the partner. */
const SECTIONS = {
  readPartnerFigures: 'path',
  listAnomalies: 'query',
  listCredentials: 'path',
  readSignInRegistration: 'path',
  listDeliveries: 'query',
  listPartnerMembers: 'path',
} as const
type SectionId = keyof typeof SECTIONS

type SectionProps<Body> = {
  session: Session
  id: SectionId
  code: string
  title: string
  /** Said where the service has none (`not_found`). */
  missing?: string
  show: (props: { body: Body }) => ComponentChildren
}

/** A part of the page that has an operation of its own, for those who may call it. */
function Section<Body>(props: SectionProps<Body>) {
  return mayCall(props.session, props.id) ? <Loaded {...props} /> : null
}

function Loaded<Body>({ id, code, title, missing, show: Show }: SectionProps<Body>) {
  const { value, error, reload } = useLoad<Body | null>(`${id} ${code}`, async () => {
    const input = { [SECTIONS[id]]: { partner_code: code } }
    const response = api(id as OperatorId, input as never) as Promise<{ body: Body }>
    return missing ? unlessUnknown(response) : (await response).body
  })
  return (
    <section>
      <h2>{title}</h2>
      <Alert text={error} retry={reload} />
      {value && <Show body={value} />}
      {value === null && <p>{missing}</p>}
    </section>
  )
}

function Figures({ body: { partner_code, steps, errors, limits } }: { body: Schemas['Figures'] }) {
  const refusals = (error: string) =>
    hrefOf('refusals', '', String(new URLSearchParams({ partner_code, error })))
  return (
    <>
      <Columns
        title="Requests"
        rows={steps}
        labelOf={({ starts_at }) => HOUR.format(new Date(starts_at))}
        unit="requests per hour"
        series={RESULTS}
      />
      <div class="card chart">
        <h3>Error codes</h3>
        <ErrorCodes errors={errors} hrefOf={refusals} />
      </div>
      <div class="card chart">
        <h3>Limits per minute</h3>
        <Limits limits={limits} />
      </div>
    </>
  )
}

function Secrets({ body: { credentials } }: { body: { credentials: Schemas['Credential'][] } }) {
  const soon = Date.now() + SOON_DAYS * DAY_MS
  return (
    <Table
      caption="Secrets, newest first"
      rows={credentials}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Kind', cell: ({ kind }) => CREDENTIAL_LABELS[kind] },
        {
          title: 'Status',
          cell: ({ status, expires_at }) => (
            <>
              <State state={status} />{' '}
              {status === 'ACTIVE' && Date.parse(expires_at) < soon && (
                <span class="badge warn">expires soon</span>
              )}
            </>
          ),
        },
        {
          title: 'Expires',
          cell: ({ expires_at }) => (isEndless(expires_at) ? 'never' : <Time at={expires_at} isShort />),
        },
        {
          title: 'Last used',
          cell: ({ last_used_on }) => (last_used_on ? <Day on={last_used_on} /> : 'never'),
        },
      ]}
    />
  )
}

const Purposes = ({ body: { purposes } }: { body: Schemas['SignInRegistration'] }) => (
  <Table
    caption="Purposes of sign-in"
    rows={purposes}
    keyOf={({ name }) => name}
    columns={[
      { title: 'Purpose', cell: ({ name }) => <code>{name}</code> },
      { title: 'Items', cell: ({ items }) => withFullName(items).map(wordsOfItem).join(', ') || 'none' },
      {
        title: 'Optional items',
        cell: ({ optional_items }) => optional_items.map(wordsOfItem).join(', ') || 'none',
      },
      { title: 'Assurance', cell: ({ minimum_acr }) => minimum_acr ?? 'any' },
    ]}
  />
)

/** The newest deliveries show whether the server of the partner answers. */
function Callback({ body: { deliveries } }: { body: { deliveries: Schemas['Delivery'][] } }) {
  const count = (wanted: string) => deliveries.filter(({ status }) => status === wanted).length
  const failed = deliveries.find(({ last_outcome }) => last_outcome && !last_outcome.startsWith('HTTP 2'))
  if (deliveries.length === 0) return <p>The service has sent no event yet.</p>
  return (
    <Facts
      of={{
        'Newest events': `${count('DELIVERED')} of ${deliveries.length} delivered, ${count('PENDING')} pending, ${count('DEAD')} given up`,
        'Last failure': failed ? (
          <>
            {failed.last_outcome}, <Time at={failed.last_attempt_at!} />
          </>
        ) : (
          'none among them'
        ),
      }}
    />
  )
}

const Members = ({ body: { members } }: { body: { members: Schemas['Member'][] } }) => (
  <Table
    caption="Members, by email"
    empty="The partner has no member."
    rows={members}
    keyOf={({ member_id }) => member_id}
    columns={[
      { title: 'Email', cell: ({ email }) => email },
      { title: 'Role', cell: ({ role }) => role },
      { title: 'Status', cell: ({ status }) => <State state={status} /> },
      {
        title: 'Last sign-in',
        cell: ({ signed_in_at }) => (signed_in_at ? <Time at={signed_in_at} /> : 'never'),
      },
    ]}
  />
)
