import { type OperatorOperations, routes } from '@tiwala/contract'
import document from '@tiwala/contract/operator.json' with { type: 'json' }
import { secretsAsEnv } from '../secrets-as-env.ts'
import { type Api, type Destructive, endsAtOnce } from './api.ts'

type OperationId = keyof OperatorOperations

const OTHER_NAMES: Partial<Record<OperationId, string>> = {
  setCallback: 'partner set-callback',
  testCallback: 'partner test-callback',
  withdrawOwnApproval: 'approval withdraw',
  listAuditEvents: 'audit events',
  listCheckpoints: 'audit checkpoints',
  readCheckpoint: 'audit checkpoint',
  listAuditKeys: 'audit keys',
  listAuditMonths: 'audit months',
  replayChange: 'restore-replay',
  completeRestore: 'restore-complete',
}

const DESTRUCTIVE: Partial<Record<OperationId, Destructive>> = {
  suspendPartner: {
    argument: 'partner_code',
    warning: 'All requests of this partner are refused from now on.',
  },
  resumePartner: {
    argument: 'partner_code',
    warning: 'Requests of this partner are accepted from now on.',
  },
  setCallback: {
    argument: 'partner_code',
    warning: 'All events of this partner, also those that wait, go to this URL or, with "null", nowhere.',
  },
  setSignInRegistration: {
    argument: 'partner_code',
    warning:
      'This replaces where citizens are sent after a sign-in, by which keys the partner signs in, and what it may ask for.',
  },
  changePartner: {
    argument: 'partner_code',
    warning: 'This changes which data the partner gets, from where, or where citizens are sent, at once.',
    isNeeded: ({ scopes, ip_allow_list, sso_url }) =>
      scopes !== undefined || (ip_allow_list as unknown[] | undefined)?.length === 0 || Boolean(sso_url),
  },
  rotateCredential: {
    argument: 'partner_code',
    warning: 'Requests with the present secret of this kind are refused from now on.',
    isNeeded: endsAtOnce,
  },
  rotateWebhookSecret: {
    argument: 'partner_code',
    warning: 'Events are signed only with the new secret from now on.',
    isNeeded: endsAtOnce,
  },
  eraseCitizen: {
    argument: 'uniqid',
    warning: 'The profile and the passport of this citizen can never be read again.',
  },
  revokeCredential: {
    argument: 'credential_id',
    warning: 'Requests with this secret are refused from now on.',
  },
  grantApproval: {
    argument: 'approval_id',
    warning: 'The change is made at once, exactly as it was asked for (see: tiwala approval show).',
  },
  replayChange: {
    argument: 'kind',
    warning: 'This change is applied without a verification of the audit. Some kinds can never be undone.',
  },
  completeRestore: {
    warning: 'All outstanding QR values, exchange codes and access tokens are refused from now on.',
  },
}

export const api: Api<OperationId> = {
  document,
  routes: routes.operator,
  otherNames: OTHER_NAMES,
  destructive: DESTRUCTIVE,
  envBlockOf: secretsAsEnv,
  program: 'tiwala',
  envPrefix: 'TIWALA_OPERATOR_',
  person: 'administrator',
  scopes: Object.keys(document.components.securitySchemes.operatorToken.flows.clientCredentials.scopes),
  contextsFile: 'contexts.json',
  sandboxToken: 'operator_token',
  issuerSetting: 'TIWALA_OPERATOR_ISSUER',
  namesIssuer: false,
}
