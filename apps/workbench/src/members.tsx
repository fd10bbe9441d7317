import type { Schemas } from '@tiwala/contract'
import { ask } from '@tiwala/ui/dialog'
import { Table } from '@tiwala/ui/list'
import { useAction, useLoad } from '@tiwala/ui/load'
import { Alert, Heading, State, Time } from '@tiwala/ui/parts'
import { api, type Session } from './api.ts'

const MEANINGS: Record<Schemas['MemberRole'], string> = {
  viewer: 'A viewer reads everything except secrets.',
  developer: 'A developer also replays events, sends test events and enables the endpoint.',
  admin: 'An admin also manages members, secrets and settings.',
}
const ROLES = Object.keys(MEANINGS) as Schemas['MemberRole'][]

export function Members({ session }: { session: Session }) {
  const { value, error, reload } = useLoad('members', async () => (await api('listMembers', {})).body.members)
  const action = useAction(reload)
  const isAdmin = session.role === 'admin'
  type Id = Pick<Schemas['Member'], 'member_id'>
  const isSelf = ({ member_id }: Id) => member_id === session.member_id
  const pathOf = ({ member_id }: Id) => ({ member_id })
  const remove = (member: Schemas['Member']) =>
    action.run(async () => {
      const title = `Remove ${member.email}?`
      const text = 'This person loses access and is signed out at once.'
      if (!(await ask({ title, text, act: 'Remove' }))) return undefined
      await api('removeMember', { path: pathOf(member) })
      return `Removed: ${member.email}`
    })
  // With the arrow keys, some browsers choose each role on the way to the wanted one.
  const changeRole = (member: Id, email: string, role: Schemas['MemberRole']) =>
    action.run(async () => {
      const title = `Change the role of ${email} to ${role}?`
      if (!(await ask({ title, text: MEANINGS[role], act: 'Change', tone: '' }))) return undefined
      await api('changeMember', { path: pathOf(member), body: { role } })
      return `${email} is now ${role}`
    })
  return (
    <>
      <Heading title="Members">Members</Heading>
      <p class="lead">The people who can sign in for {session.partner_name}.</p>
      <Alert text={error} retry={reload} />
      <Alert text={action.error} />
      {isAdmin && (
        <Invite
          isBusy={action.isBusy}
          invite={(body, form) =>
            action.run(async () => {
              await api('inviteMember', { body })
              form.reset()
              return `Invited: ${body.email}`
            })
          }
        />
      )}
      {value && (
        <Table
          caption="Members, by email"
          rows={value}
          keyOf={({ member_id }) => member_id}
          columns={[
            {
              title: 'Email',
              cell: ({ email, status, ...member }) => (
                <>
                  {email} {status === 'INVITED' && <State state={status} />}
                  {isSelf(member) && <span class="badge">you</span>}
                </>
              ),
            },
            {
              title: 'Role',
              cell: ({ email, role, ...member }) =>
                isAdmin && !isSelf(member) ? (
                  <RoleChoice
                    label={`Role of ${email}`}
                    role={role}
                    onChange={(next) => void changeRole(member, email, next)}
                  />
                ) : (
                  role
                ),
            },
            {
              title: 'Last sign-in',
              cell: ({ signed_in_at }) => (signed_in_at ? <Time at={signed_in_at} /> : 'never'),
            },
            ...(isAdmin
              ? [
                  {
                    title: 'Change',
                    cell: (member: Schemas['Member']) =>
                      !isSelf(member) && (
                        <button
                          type="button"
                          class="button compact"
                          aria-label={`Remove ${member.email}`}
                          onClick={() => void remove(member)}
                        >
                          Remove
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

type RoleChoiceProps = {
  label: string
  role: Schemas['MemberRole']
  onChange: (role: Schemas['MemberRole']) => void
}

const RoleChoice = ({ label, role, onChange }: RoleChoiceProps) => (
  <select
    class="control"
    aria-label={label}
    value={role}
    onChange={(event) => onChange((event.target as HTMLSelectElement).value as Schemas['MemberRole'])}
  >
    {ROLES.map((each) => (
      <option key={each} selected={each === role}>
        {each}
      </option>
    ))}
  </select>
)

type InviteProps = {
  isBusy: boolean
  invite: (body: Schemas['MemberInvitation'], form: HTMLFormElement) => Promise<void>
}

function Invite({ isBusy, invite }: InviteProps) {
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    void invite(Object.fromEntries(new FormData(form)) as Schemas['MemberInvitation'], form)
  }
  return (
    <form class="filters" onSubmit={send} aria-label="Invite a member">
      <label class="field wide">
        Email
        <input type="email" name="email" required autocomplete="off" />
      </label>
      <label class="field">
        Role
        <select name="role">
          {ROLES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </label>
      <button class="button primary" aria-disabled={isBusy}>
        Invite
      </button>
    </form>
  )
}
