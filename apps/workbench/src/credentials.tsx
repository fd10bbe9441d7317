import type { Body, Schemas } from '@tiwala/contract'
import { ask } from '@tiwala/ui/dialog'
import { Table } from '@tiwala/ui/list'
import { useAction, useLoad } from '@tiwala/ui/load'
import { Alert, Countdown, Day, Heading, isEndless, Time } from '@tiwala/ui/parts'
import { CREDENTIAL_LABELS } from '@tiwala/ui/setting-labels'
import { api, type Session } from './api.ts'
import { hrefOf } from './location.ts'
import { NewSecret } from './new-secret.tsx'
import type { NewSecrets } from './use-new-secrets.ts'

type Credential = Schemas['Credential']
type Rotation = Body<'rotateOwnCredential'>

const USUAL_GRACE_DAYS = 7

type Props = { session: Session; newSecrets: NewSecrets }

export function Credentials({ session, newSecrets }: Props) {
  const load = async () => (await api('listOwnCredentials', {})).body.credentials
  const { value, error, reload } = useLoad('credentials', load)
  const action = useAction(reload)
  const rotate = (body: Rotation) =>
    action.run(async () => {
      const { kind, grace_days } = body
      const question = !newSecrets.isRepeated(kind, grace_days) && questionOf(body, await load())
      if (question && !(await ask(question))) return undefined
      await newSecrets.rotate(
        kind,
        grace_days,
        async (headers) => (await api('rotateOwnCredential', { body, headers })).body.secret,
      )
      return `Rotated: ${CREDENTIAL_LABELS[kind]}`
    })
  const revoke = ({ id, kind }: Credential) =>
    action.run(async () => {
      const title = `Revoke the ${CREDENTIAL_LABELS[kind]} ${id}?`
      if (!(await ask({ title, text: 'The service refuses it at once, and for good.', act: 'Revoke' })))
        return undefined
      await api('revokeOwnCredential', { path: { credential_id: id } })
      newSecrets.forget(kind)
      return `Revoked: ${CREDENTIAL_LABELS[kind]}`
    })
  const isAdmin = session.role === 'admin'
  return (
    <>
      <Heading title="Credentials">Credentials</Heading>
      <p class="lead">The secrets of your servers. After a rotation the previous secret works for a while.</p>
      <p>
        The webhook secret is under <a href={hrefOf('events')}>Events</a>.
      </p>
      <Alert text={error} retry={reload} />
      <Alert text={action.error} />
      {isAdmin && <Rotate isBusy={action.isBusy} rotate={rotate} />}
      {(Object.keys(CREDENTIAL_LABELS) as Credential['kind'][]).map((kind) => {
        const secret = newSecrets.shown[kind]
        const hide = () => newSecrets.hide(kind)
        return secret && <NewSecret key={kind} name={CREDENTIAL_LABELS[kind]} secret={secret} hide={hide} />
      })}
      {value && (
        <Table
          caption="Credentials, newest first"
          rows={value}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Secret',
              cell: ({ id, kind }) => (
                <>
                  {CREDENTIAL_LABELS[kind]}
                  <br />
                  <code class="small soft">{id}</code>
                </>
              ),
            },
            { title: 'State', cell: (credential) => <State credential={credential} /> },
            {
              title: 'Last use',
              cell: ({ last_used_on }) => (last_used_on ? <Day on={last_used_on} /> : 'never'),
            },
            { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
            ...(isAdmin
              ? [
                  {
                    title: 'Change',
                    cell: (credential: Credential) =>
                      credential.status === 'ACTIVE' && (
                        <button
                          type="button"
                          class="button compact"
                          aria-label={`Revoke ${credential.id}`}
                          onClick={() => void revoke(credential)}
                        >
                          Revoke
                        </button>
                      ),
                  },
                ]
              : []),
          ]}
        />
      )}
    </>
  )
}

/** What to ask before a rotation that ends a secret at once. Only the newest one gets a grace period. */
function questionOf({ kind, grace_days }: Rotation, credentials: Credential[]) {
  const [title, act] = [`Rotate the ${CREDENTIAL_LABELS[kind]}`, 'Rotate']
  const isActive = (each: Credential) => each.kind === kind && each.status === 'ACTIVE'
  if (grace_days === 0)
    return { title: `${title} without a grace period?`, text: 'The previous secret ends at once.', act }
  if (!credentials.some((each) => isActive(each) && each.is_superseded)) return undefined
  const text =
    'The superseded secret, which still works, ends at once. Your servers must have the newest one.'
  return { title: `${title} again?`, text, act }
}

function State({
  credential: { status, is_superseded, expires_at, revoked_at },
}: {
  credential: Credential
}) {
  if (revoked_at !== null)
    return (
      <>
        <span class="badge bad">revoked</span> <Time at={revoked_at} />
      </>
    )
  if (status !== 'ACTIVE') return <span class="badge">ended</span>
  return (
    <>
      <span class={`badge ${is_superseded ? 'warn' : 'good'}`}>
        {is_superseded ? 'superseded' : 'active'}
      </span>{' '}
      {isEndless(expires_at) ? (
        'does not end'
      ) : (
        <>
          ends <Time at={expires_at} isShort />, <Countdown to={expires_at} />
        </>
      )}
    </>
  )
}

function Rotate({ isBusy, rotate }: { isBusy: boolean; rotate: (body: Rotation) => Promise<void> }) {
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.target as HTMLFormElement)
    void rotate({
      kind: fields.get('kind') as Rotation['kind'],
      grace_days: Number(fields.get('grace_days')),
    })
  }
  return (
    <form class="filters" onSubmit={send} aria-label="Rotate a secret">
      <label class="field">
        Secret
        <select name="kind">
          {Object.entries(CREDENTIAL_LABELS).map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        The old secret works for, in days
        <input type="number" name="grace_days" min="0" max="30" required defaultValue={USUAL_GRACE_DAYS} />
      </label>
      <button class="button primary" aria-disabled={isBusy}>
        Rotate
      </button>
    </form>
  )
}
