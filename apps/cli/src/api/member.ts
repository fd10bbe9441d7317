import { routes as all, type WorkbenchOperations } from '@tiwala/contract'
import document from '@tiwala/contract/workbench.json' with { type: 'json' }
import { nameOf } from '../command-name.ts'
import { type Api, endsAtOnce } from './api.ts'

/** For a token, there is nothing to end at the service: `logout` forgets it. */
const { signOut: _, ...routes } = all.workbench
type MemberId = Exclude<keyof WorkbenchOperations, 'signOut'>

const OTHER_NAMES: Partial<Record<MemberId, string>> = {
  readSession: 'whoami',
  readSettings: 'settings show',
  changeSettings: 'settings change',
  listOwnDeliveries: 'events',
  readDelivery: 'event show',
  replayOwnDeliveries: 'event replay',
  replayOwnRange: 'event replay-range',
  testOwnCallback: 'endpoint test',
}

/** `listRequests` becomes `requests`, `rotateOwnCredential` becomes `credential rotate`. */
function commandOf(id: MemberId): string {
  const name = id.replace('Own', '')
  return OTHER_NAMES[id] ?? (name.startsWith('list') ? name.slice('list'.length).toLowerCase() : nameOf(name))
}

export const api: Api<MemberId> = {
  document,
  routes,
  otherNames: Object.fromEntries((Object.keys(routes) as MemberId[]).map((id) => [id, commandOf(id)])),
  destructive: {
    changeSettings: {
      warning:
        'This changes where events and citizens are sent, from where requests may come, or by which keys you sign in.',
    },
    changeMember: { argument: 'member_id', warning: 'This person may do more or less at once.' },
    removeMember: { argument: 'member_id', warning: 'This person loses access at once.' },
    revokeOwnCredential: {
      argument: 'credential_id',
      warning: 'Requests with this secret are refused from now on.',
    },
    rotateOwnCredential: {
      argument: 'kind',
      warning: 'Requests with the present secret of this kind are refused from now on.',
      isNeeded: endsAtOnce,
    },
    rotateOwnWebhookSecret: {
      warning: 'Events are signed only with the new secret from now on.',
      isNeeded: endsAtOnce,
    },
  },
  envBlockOf: () => undefined,
  program: 'npx @tiwala/client',
  envPrefix: 'TIWALA_MEMBER_',
  person: 'member',
  scopes: ['openid', 'email', 'offline_access'],
  contextsFile: 'member.json',
  sandboxToken: 'member_token',
  issuerSetting: 'TIWALA_STAFF_ISSUER',
  namesIssuer: true,
}
