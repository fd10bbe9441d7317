import type { Schemas } from '@tiwala/contract'
import { TextField } from '@tiwala/ui/fields'
import { useAction, useLoad } from '@tiwala/ui/load'
import { Alert, Countdown, Heading, State, Time } from '@tiwala/ui/parts'
import { SETTING_LABELS } from '@tiwala/ui/setting-labels'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api, type Session } from './api.ts'
import { ConsentPreviews } from './consent-previews.tsx'

type Settings = Schemas['PartnerSettings']
type Change = Schemas['SettingsChange']
type Name = keyof Change
type Approval = Schemas['SettingsApproval']

const lines = (text: string) => text.split(/\s+/).filter(Boolean)
const url = (text: string) => text.trim() || null
const LINES = { rows: 3, show: (value: unknown) => ((value ?? []) as string[]).join('\n') }
const URL_LINE = { rows: 1, show: (value: unknown) => (value ?? '') as string }

/** How each setting is shown, and what a text of it changes. Keys are a list, or at an address. */
const FIELDS: {
  name: Name
  group: string
  /** Only of a partner that is registered for sign-in by OpenID Connect. */
  isOfSignIn?: boolean
  hint: string
  rows: number
  show: (value: unknown) => string
  read: (text: string) => Change
}[] = [
  {
    name: 'callback_url',
    group: 'Where events and browsers go',
    hint: 'Receives your events. Empty: no events.',
    ...URL_LINE,
    read: (text) => ({ callback_url: url(text) }),
  },
  {
    name: 'sso_url',
    group: 'Where events and browsers go',
    hint: 'Receives exchange codes from the citizen app.',
    ...URL_LINE,
    read: (text) => ({ sso_url: url(text) }),
  },
  {
    name: 'redirect_uris',
    group: 'Where events and browsers go',
    isOfSignIn: true,
    hint: 'Where browsers return to after a sign-in by OpenID Connect, one on each line.',
    ...LINES,
    read: (text) => ({ redirect_uris: lines(text) }),
  },
  {
    name: 'ip_allow_list',
    group: 'Where your requests come from',
    hint: 'Addresses and ranges of your servers, one on each line. Empty: every address.',
    ...LINES,
    read: (text) => ({ ip_allow_list: lines(text) }),
  },
  {
    name: 'jwks_url',
    group: 'Your public keys',
    isOfSignIn: true,
    hint: 'Where you publish your public keys. It replaces the keys below.',
    ...URL_LINE,
    read: (text) => (url(text) ? { jwks_url: url(text), keys: [] } : { jwks_url: null }),
  },
  {
    name: 'keys',
    group: 'Your public keys',
    isOfSignIn: true,
    hint: 'A JWK set, or a list of JWKs. Never a private key.',
    rows: 4,
    show: (value) => ((value as unknown[]).length ? JSON.stringify(value, null, 2) : ''),
    read: (text) => {
      const keys = readKeys(text)
      return keys.length > 0 ? { jwks_url: null, keys } : { keys }
    },
  },
]

function readKeys(text: string): Schemas['PublicKey'][] {
  const keys = parseKeys(text || '[]')
  if (!Array.isArray(keys)) throw new Error('Public keys: give a JWK set, or a list of JWKs.')
  return keys
}

function parseKeys(text: string): Schemas['PublicKey'][] | undefined {
  try {
    const set = JSON.parse(text) as Schemas['PublicKey'][] | { keys?: Schemas['PublicKey'][] } | null
    return Array.isArray(set) ? set : set?.keys
  } catch {
    return undefined
  }
}

export function Settings({ session }: { session: Session }) {
  const load = async () => {
    const { body, headers } = await api('readSettings', {})
    return { ...body, etag: headers.get('ETag')! }
  }
  const { value, error, reload } = useLoad('settings', load)
  const action = useAction(reload)
  const save = async ({ name }: (typeof FIELDS)[number], change: Change, reason: string) => {
    const { body } = await api('changeSettings', {
      body: change,
      // A field has its whole list: it must not undo what another person has changed since.
      headers: { 'If-Match': value!.etag },
      ...(reason && { query: { reason } }),
    })
    const label = SETTING_LABELS[name]
    return waitingOf(body, name) ? `${label}: an administrator decides` : `${label}: saved`
  }
  const withdraw = async ({ approval_id }: Approval) => {
    await api('withdrawApproval', { path: { approval_id } })
    return 'Withdrawn'
  }
  const isAdmin = session.role === 'admin'
  return (
    <>
      <Heading title="Settings">Settings</Heading>
      <p class="lead">Where the service sends events and browsers, and from where you call it.</p>
      {value?.needs_approval && (
        <p class="notice info">
          A change that widens access waits for an administrator of the service. All others apply at once.
        </p>
      )}
      <Alert text={error} retry={reload} />
      <Alert text={action.error} />
      {value && (
        <>
          <Approvals
            approvals={value.approvals}
            withdraw={isAdmin ? (approval) => void action.run(() => withdraw(approval)) : undefined}
          />
          {groupsOf(value).map(([title, fields]) => (
            <section key={title}>
              <h2>{title}</h2>
              {fields.map((field) => (
                <Field
                  key={field.name}
                  field={field}
                  settings={value}
                  canChange={isAdmin}
                  isBusy={action.isBusy}
                  change={(body, reason) => action.run(async () => save(field, body(), reason))}
                />
              ))}
            </section>
          ))}
          <ConsentPreviews settings={value} />
        </>
      )}
    </>
  )
}

/** The fields of each group. Those of OpenID Connect are missing until the partner is registered for it. */
const groupsOf = ({ redirect_uris }: Settings) => [
  ...Map.groupBy(
    FIELDS.filter(({ isOfSignIn }) => redirect_uris || !isOfSignIn),
    ({ group }) => group,
  ),
]

const waitingOf = ({ approvals }: Settings, name: Name) =>
  approvals.find(({ status, change }) => status === 'PENDING' && name in change)

type FieldProps = {
  field: (typeof FIELDS)[number]
  settings: Settings
  canChange: boolean
  isBusy: boolean
  change: (body: () => Change, reason: string) => Promise<void>
}

function Field({ field, settings, canChange, isBusy, change }: FieldProps) {
  const { name, hint, rows, show, read } = field
  const label = SETTING_LABELS[name]
  const text = show(settings[name])
  const waiting = waitingOf(settings, name)
  const form = useRef<HTMLFormElement>(null)
  const [isEdited, setIsEdited] = useState(false)
  // Shows what was saved. A change that waits is not in force, so the field shows the present value again.
  useLayoutEffect(() => {
    form.current?.reset()
    setIsEdited(false)
  }, [text, waiting?.approval_id])
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.target as HTMLFormElement)
    void change(() => read(fields.get('value') as string), (fields.get('reason') ?? '') as string)
  }
  const control = {
    name: 'value',
    readOnly: !canChange,
    spellcheck: false,
    autocomplete: 'off' as const,
    onInput: () => setIsEdited(true),
  }
  return (
    <form class="filters" onSubmit={send} ref={form} aria-label={label}>
      <label class="field wide">
        <span>
          {label} {waiting && <span class="badge warn">a change waits</span>}
        </span>
        <small>{hint}</small>
        {waiting && (
          <small>
            Asked for: <code>{show(waiting.change[name]) || 'nothing'}</code>
          </small>
        )}
        {rows > 1 ? (
          <textarea {...control} rows={rows} defaultValue={text} />
        ) : (
          <input {...control} defaultValue={text} />
        )}
      </label>
      {isEdited && settings.needs_approval && (
        <TextField wide label="Reason, for the administrator (optional)" name="reason" maxLength={500} />
      )}
      {canChange && (
        <button class="button" aria-disabled={isBusy}>
          Save
        </button>
      )}
    </form>
  )
}

const STATUS_WORDS: Record<Approval['status'], string> = {
  PENDING: 'waiting',
  GRANTED: 'granted',
  RETURNED: 'sent back',
  WITHDRAWN: 'withdrawn',
  VOID: 'void: the setting was changed, or another change was asked for',
  EXPIRED: 'expired',
}

type ApprovalsProps = { approvals: Approval[]; withdraw: ((approval: Approval) => void) | undefined }

const Approvals = ({ approvals, withdraw }: ApprovalsProps) =>
  approvals.length === 0 ? null : (
    <section aria-label="Changes that an administrator decides">
      <h2>Changes that an administrator decides</h2>
      {approvals.map((approval) => (
        <article class="card" key={approval.approval_id}>
          <p>
            <State state={approval.status}>{STATUS_WORDS[approval.status]}</State>{' '}
            <Time at={approval.requested_at} />
            {approval.status === 'PENDING' && (
              <>
                , ends <Countdown to={approval.expires_at} />
              </>
            )}
          </p>
          {FIELDS.filter(({ name }) => name in approval.change).map(({ name, show }) => (
            <p key={name}>
              <strong>{SETTING_LABELS[name]}:</strong>{' '}
              <code>{show(approval.previous[name]) || 'nothing'}</code> becomes{' '}
              <code>{show(approval.change[name]) || 'nothing'}</code>
            </p>
          ))}
          {approval.reason && <p>Your reason: {approval.reason}</p>}
          {approval.decision_reason && <p>The administrator: {approval.decision_reason}</p>}
          {approval.status === 'PENDING' && withdraw && (
            <button type="button" class="button compact" onClick={() => withdraw(approval)}>
              Withdraw
            </button>
          )}
        </article>
      ))}
    </section>
  )
