import type { Schemas } from '@tiwala/contract'
import { ask } from '@tiwala/ui/dialog'
import { Table } from '@tiwala/ui/list'
import { useAction, useLoad } from '@tiwala/ui/load'
import { Alert, Heading, State, Time } from '@tiwala/ui/parts'
import { toast } from '@tiwala/ui/toast'
import { api, type Session } from './api.ts'

const ROLES: Schemas['MemberRole'][] = ['viewer', 'developer', 'admin']

export function Members({ session }: { session: Session }) {
  const { value, error, reload } = useLoad('members', async () => (await api('listMembers', {})).body.members)
  const action = useAction()
  const change = (call: () => Promise<unknown>, done: string) =>
    action.run(async () => (await call(), toast(done), reload()))
  const isAdmin = session.role === 'admin'
  type Id = Pick<Schemas['Member'], 'member_id'>
  const isSelf = ({ member_id }: Id) => member_id === session.member_id
  const pathOf = ({ member_id }: Id) => ({ member_id })
  const remove = async (member: Schemas['Member']) => {
    const title = `Remove ${member.email}?`
    if (await ask({ title, text: 'This person loses access and is signed out at once.', act: 'Remove' }))
      void change(() => api('removeMember', { path: pathOf(member) }), `Removed: ${member.email}`)
  }
  return (
    <>
      <Heading title="Members">Members</Heading>
      <p class="lead">The people who can sign in for {session.partner_name}.</p>
      <Alert text={error || action.error} />
      {isAdmin && (
        <Invite
          isBusy={action.isBusy}
          invite={(body) => change(() => api('inviteMember', { body }), `Invited: ${body.email}`)}
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
                    onChange={(next) =>
                      void change(
                        () => api('changeMember', { path: pathOf(member), body: { role: next } }),
                        `${email} is now ${next}`,
                      )
                    }
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

type InviteProps = { isBusy: boolean; invite: (body: Schemas['MemberInvitation']) => Promise<void> }

function Invite({ isBusy, invite }: InviteProps) {
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    if (isBusy) return
    await invite(Object.fromEntries(new FormData(form)) as Schemas['MemberInvitation'])
    form.reset()
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
