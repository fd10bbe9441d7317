import type { Schemas } from '@tiwala/contract'
import { useAction, useLoad } from '@tiwala/ui/load'
import { Alert, Heading, Time } from '@tiwala/ui/parts'
import { api, type Session } from './api.ts'

const ROLES: Schemas['MemberRole'][] = ['viewer', 'developer', 'admin']

export function Members({ session }: { session: Session }) {
  const { value, error, reload } = useLoad('members', async () => (await api('listMembers', {})).body.members)
  const action = useAction()
  const change = (call: () => Promise<unknown>) => action.run(async () => (await call(), reload()))
  const isAdmin = session.role === 'admin'
  return (
    <>
      <Heading title="Members">Members</Heading>
      <p class="lead">The people who can sign in for {session.partner_name}.</p>
      <Alert text={error || action.error} />
      {isAdmin && (
        <Invite isBusy={action.isBusy} invite={(body) => change(() => api('inviteMember', { body }))} />
      )}
      {value && (
        <table class="table">
          <caption class="hidden">Members, by email</caption>
          <thead>
            <tr>
              <th scope="col">Email</th>
              <th scope="col">Role</th>
              <th scope="col" class="far">
                Last sign-in
              </th>
              {isAdmin && <th scope="col">Change</th>}
            </tr>
          </thead>
          <tbody>
            {value.map((member) => (
              <tr key={member.member_id}>
                <td>
                  {member.email} {member.status === 'INVITED' && <span class="badge">invited</span>}
                </td>
                <td>
                  {isAdmin && member.member_id !== session.member_id ? (
                    <RoleChoice
                      label={`Role of ${member.email}`}
                      role={member.role}
                      onChange={(role) => {
                        const path = { member_id: member.member_id }
                        void change(() => api('changeMember', { path, body: { role } }))
                      }}
                    />
                  ) : (
                    member.role
                  )}
                </td>
                <td class="far">{member.signed_in_at ? <Time at={member.signed_in_at} /> : 'never'}</td>
                {isAdmin && (
                  <td>
                    {member.member_id === session.member_id ? (
                      'you'
                    ) : (
                      <button
                        type="button"
                        class="button compact"
                        aria-label={`Remove ${member.email}`}
                        onClick={() => {
                          const path = { member_id: member.member_id }
                          if (confirm(`Remove ${member.email}? The person is signed out at once.`))
                            void change(() => api('removeMember', { path }))
                        }}
                      >
                        Remove
                      </button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
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
