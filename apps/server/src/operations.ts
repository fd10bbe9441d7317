import type {
  CitizenAppOperations,
  OperatorOperations,
  PartnerOperations,
  Schemas,
  WorkbenchOperations,
} from '@tiwala/contract'
import { acknowledgeAnomaly } from './anomalies/acknowledge-anomaly.ts'
import { listAnomalies } from './anomalies/list-anomalies.ts'
import { listAuditMonths } from './audit/archive/list-audit-months.ts'
import { listAuditKeys } from './audit/checkpoints/list-audit-keys.ts'
import { listCheckpoints } from './audit/checkpoints/list-checkpoints.ts'
import { readCheckpoint } from './audit/checkpoints/read-checkpoint.ts'
import { listAuditEvents } from './audit/list-audit-events/list-audit-events.ts'
import { verifyAudit } from './audit/verify-audit/verify-audit.ts'
import { acceptAuthorization } from './authorizations/answer/accept-authorization.ts'
import { declineAuthorization } from './authorizations/answer/decline-authorization.ts'
import { cancelAuthorization } from './authorizations/cancel-authorization/cancel-authorization.ts'
import { findAuthorizations } from './authorizations/find-authorizations/find-authorizations.ts'
import { inquire } from './authorizations/inquire/inquire.ts'
import { issueQrCode } from './authorizations/issue-qr-code/issue-qr-code.ts'
import { listAuthorizations } from './authorizations/list-authorizations/list-authorizations.ts'
import { listOwnRecords } from './authorizations/list-records/list-own-records.ts'
import { listRecords } from './authorizations/list-records/list-records.ts'
import { preloadShareable, profileByQr } from './authorizations/profile-by-qr/profile-by-qr.ts'
import { readAuthorization } from './authorizations/read-authorization.ts'
import { requestAuthorization } from './authorizations/request-authorization/request-authorization.ts'
import { revokeAuthorization } from './authorizations/revoke-authorization/revoke-authorization.ts'
import { streamEvents } from './authorizations/stream-events/stream-events.ts'
import { readCitizen } from './citizen-summary/read-citizen.ts'
import { eraseCitizen } from './citizens/erase-citizen/erase-citizen.ts'
import { readErasure } from './citizens/erase-citizen/read-erasure.ts'
import { importCitizens } from './citizens/import-citizens/import-citizens.ts'
import { readPreferences } from './citizens/preferences/read-preferences.ts'
import { replacePreferences } from './citizens/preferences/replace-preferences.ts'
import { upsertCitizen } from './citizens/upsert-citizen.ts'
import { grantApproval } from './decisions/grant-approval.ts'
import { listApprovals } from './decisions/list-approvals.ts'
import { readApproval } from './decisions/read-approval.ts'
import { returnApproval } from './decisions/return-approval.ts'
import { withdrawApproval } from './decisions/withdraw-approval.ts'
import { withdrawOwnApproval } from './decisions/withdraw-own-approval.ts'
import { disputeDisclosure } from './disclosures/dispute-disclosure.ts'
import { listDisclosures } from './disclosures/list-disclosures.ts'
import { listDisputes } from './disclosures/list-disputes.ts'
import { readDisclosureProof } from './disclosures/read-disclosure-proof.ts'
import { readFleet } from './fleet/read-fleet.ts'
import { decideGoingLiveReport } from './going-live/decide-going-live-report.ts'
import { writeGoingLiveReport } from './going-live/write-going-live-report.ts'
import { listKeys } from './keys/list-keys/list-keys.ts'
import { rewrapKeys } from './keys/rewrap-keys.ts'
import { changeMember } from './members/change-member.ts'
import { inviteMember } from './members/invite-member.ts'
import { invitePartnerMember } from './members/invite-partner-member.ts'
import { listMembers } from './members/list-members.ts'
import { listPartnerMembers } from './members/list-partner-members.ts'
import { readSession } from './members/read-session.ts'
import { removeMember } from './members/remove-member.ts'
import { signOut } from './members/sign-out.ts'
import type {
  CitizenPolicy,
  MemberPolicy,
  Operation,
  OperationTable,
  OperatorPolicy,
  PartnerPolicy,
  Policy,
  Preload,
} from './operation.ts'
import { endOwnSession } from './operators/end-own-session.ts'
import { listOperators } from './operators/list-operators.ts'
import { readOwnSession } from './operators/read-own-session.ts'
import { changeSettings } from './partner-settings/change-settings.ts'
import { readSettings } from './partner-settings/read-settings.ts'
import { changePartner } from './partners/change-partner/change-partner.ts'
import { createPartner } from './partners/create-partner/create-partner.ts'
import { listCredentials } from './partners/credentials/list-credentials.ts'
import { listOwnCredentials } from './partners/credentials/list-own-credentials.ts'
import { revokeCredential } from './partners/credentials/revoke-credential/revoke-credential.ts'
import { revokeOwnCredential } from './partners/credentials/revoke-credential/revoke-own-credential.ts'
import { rotateCredential } from './partners/credentials/rotate-credential/rotate-credential.ts'
import { rotateOwnCredential } from './partners/credentials/rotate-credential/rotate-own-credential.ts'
import { listPartners } from './partners/list-partners/list-partners.ts'
import type { AuthenticatedPartner } from './partners/partner.ts'
import { readPartnerSelf } from './partners/read-partner-self.ts'
import { readPartner } from './partners/read-partner.ts'
import { setCallback } from './partners/set-callback/set-callback.ts'
import { resumePartner } from './partners/status/resume-partner.ts'
import { suspendPartner } from './partners/status/suspend-partner.ts'
import { listPartnerRequests } from './requests/list-partner-requests.ts'
import { listRequests } from './requests/list-requests.ts'
import { readDiagnosis } from './requests/read-diagnosis.ts'
import { readFigures } from './requests/read-figures.ts'
import { readPartnerFigures } from './requests/read-partner-figures.ts'
import { readPartnerRequest } from './requests/read-partner-request.ts'
import { readRequest } from './requests/read-request.ts'
import { completeRestore } from './restore/complete-restore/complete-restore.ts'
import { replayChange } from './restore/replay-change/replay-change.ts'
import { approveSignIn } from './sign-ins/answer/approve-sign-in.ts'
import { declineSignIn } from './sign-ins/answer/decline-sign-in.ts'
import { openSignIn } from './sign-ins/open-sign-in.ts'
import { readSignIn } from './sign-ins/read-sign-in.ts'
import { readSignInRegistration } from './sign-ins/registration/read-sign-in-registration.ts'
import { setSignInRegistration } from './sign-ins/registration/set-sign-in-registration.ts'
import type { AuthenticatedToken, TokenCitizen } from './sso/authenticate/authenticate.sql.ts'
import { authenticate } from './sso/authenticate/authenticate.ts'
import { generateToken } from './sso/generate-token/generate-token.ts'
import { issueExchangeCode } from './sso/issue-exchange-code/issue-exchange-code.ts'
import { listUse } from './use/list-use.ts'
import { enableEndpoint } from './webhooks/enable-endpoint.ts'
import { listDeliveries } from './webhooks/list-deliveries/list-deliveries.ts'
import { listOwnDeliveries } from './webhooks/list-deliveries/list-own-deliveries.ts'
import { readDelivery } from './webhooks/read-delivery.ts'
import { readEndpoint } from './webhooks/read-endpoint.ts'
import { replayDeadLetters } from './webhooks/replay-dead-letters/replay-dead-letters.ts'
import { replayOwnRange } from './webhooks/replay-dead-letters/replay-own-range.ts'
import { replayDelivery } from './webhooks/replay-delivery/replay-delivery.ts'
import { replayOwnDeliveries } from './webhooks/replay-delivery/replay-own-deliveries.ts'
import { rotateOwnWebhookSecret } from './webhooks/rotate-own-webhook-secret.ts'
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts'
import { testCallback } from './webhooks/test-callback/test-callback.ts'
import { testOwnCallback } from './webhooks/test-callback/test-own-callback.ts'

type Decisions = Partial<Pick<PartnerPolicy, 'rateLimit' | 'isCountedDaily'>> & Pick<PartnerPolicy, 'scope'>
/** An operation that uses loaded rows needs the function that reads them. */
type Preloads<Loaded> = [Loaded] extends [undefined] ? object : { preload: Preload<Loaded> }

const byDefault = { rateLimit: null, isCountedDaily: false, isScopeInBody: false, preload: null }

/** A partner that sends its secret in headers. */
const partner = <Id extends keyof PartnerOperations, Loaded>(
  run: Operation<Id, AuthenticatedPartner, Loaded>,
  decisions: Decisions & Preloads<Loaded>,
): PartnerPolicy<Id> => ({ ...byDefault, ...decisions, run, authentication: 'secret_headers' })

/** A partner that sends its secret, and the scope, in the body. */
const secretInBody = <Id extends keyof PartnerOperations>(
  run: Operation<Id, AuthenticatedPartner>,
  decisions: Decisions,
): PartnerPolicy<Id> => ({
  ...byDefault,
  ...decisions,
  run,
  authentication: 'secret_in_body',
  isScopeInBody: true,
})

/** A client with an access token. Authentication reads the token together with its citizen. */
const accessToken = <Id extends keyof PartnerOperations>(
  run: Operation<Id, AuthenticatedToken, TokenCitizen>,
  decisions: Decisions,
): PartnerPolicy<Id> => ({ ...byDefault, ...decisions, run, authentication: 'access_token' })

const citizen = <Id extends keyof CitizenAppOperations>(run: Operation<Id>): CitizenPolicy<Id> => ({
  run,
  authentication: 'citizen_token',
})

const operator = <Id extends keyof OperatorOperations>(
  run: Operation<Id>,
  { isLongRunning = false, readsReplica = false } = {},
): OperatorPolicy<Id> => ({
  run,
  authentication: 'operator_token',
  isLongRunning,
  readsReplica,
})

const member = <Id extends keyof WorkbenchOperations>(
  run: Operation<Id>,
  role: Schemas['MemberRole'],
): MemberPolicy<Id> => ({ run, authentication: 'member', role })

/**
 * The whole API: the function of each operation, and everything that is decided about it. Paths, fields and
 * responses are in `spec/`. `createValidator` compares the authentication with that of the documents when the
 * server starts.
 */
export const operations = {
  // partner
  requestAuthorization: partner(requestAuthorization, {
    scope: 'PROFILE_INQUIRE',
    rateLimit: 'requests_per_minute',
    isCountedDaily: true,
  }),
  inquire: partner(inquire, { scope: 'PROFILE_INQUIRE' }),
  profileByQr: partner(profileByQr, {
    scope: 'PROFILE_VIEW',
    rateLimit: 'views_per_minute',
    isCountedDaily: true,
    preload: preloadShareable,
  }),
  cancelAuthorization: partner(cancelAuthorization, { scope: 'PROFILE_INQUIRE' }),
  listRecords: partner(listRecords, { scope: 'PROFILE_INQUIRE' }),
  readPartnerSelf: partner(readPartnerSelf, { scope: null }),
  readDiagnosis: partner(readDiagnosis, { scope: null }),
  generateToken: secretInBody(generateToken, {
    scope: 'SSO_AUTHENTICATION',
    rateLimit: 'tokens_per_minute',
    isCountedDaily: true,
  }),
  authenticate: accessToken(authenticate, { scope: 'SSO_AUTHENTICATION', rateLimit: 'sign_ins_per_minute' }),
  // citizen-app
  issueQrCode: citizen(issueQrCode),
  listAuthorizations: citizen(listAuthorizations),
  readAuthorization: citizen(readAuthorization),
  acceptAuthorization: citizen(acceptAuthorization),
  declineAuthorization: citizen(declineAuthorization),
  revokeAuthorization: citizen(revokeAuthorization),
  streamEvents: citizen(streamEvents),
  issueExchangeCode: citizen(issueExchangeCode),
  openSignIn: citizen(openSignIn),
  readSignIn: citizen(readSignIn),
  approveSignIn: citizen(approveSignIn),
  declineSignIn: citizen(declineSignIn),
  listDisclosures: citizen(listDisclosures),
  disputeDisclosure: citizen(disputeDisclosure),
  readDisclosureProof: citizen(readDisclosureProof),
  readPreferences: citizen(readPreferences),
  replacePreferences: citizen(replacePreferences),
  // workbench
  readSession: member(readSession, 'viewer'),
  signOut: member(signOut, 'viewer'),
  listMembers: member(listMembers, 'viewer'),
  inviteMember: member(inviteMember, 'admin'),
  changeMember: member(changeMember, 'admin'),
  removeMember: member(removeMember, 'admin'),
  listOwnCredentials: member(listOwnCredentials, 'viewer'),
  rotateOwnCredential: member(rotateOwnCredential, 'admin'),
  revokeOwnCredential: member(revokeOwnCredential, 'admin'),
  readSettings: member(readSettings, 'viewer'),
  changeSettings: member(changeSettings, 'admin'),
  withdrawApproval: member(withdrawApproval, 'admin'),
  listRequests: member(listRequests, 'viewer'),
  readRequest: member(readRequest, 'viewer'),
  listOwnRecords: member(listOwnRecords, 'viewer'),
  readFigures: member(readFigures, 'viewer'),
  listOwnDeliveries: member(listOwnDeliveries, 'viewer'),
  readDelivery: member(readDelivery, 'viewer'),
  replayOwnDeliveries: member(replayOwnDeliveries, 'developer'),
  replayOwnRange: member(replayOwnRange, 'developer'),
  testOwnCallback: member(testOwnCallback, 'developer'),
  readEndpoint: member(readEndpoint, 'viewer'),
  enableEndpoint: member(enableEndpoint, 'developer'),
  rotateOwnWebhookSecret: member(rotateOwnWebhookSecret, 'admin'),
  writeGoingLiveReport: member(writeGoingLiveReport, 'developer'),
  // operator
  readOwnSession: operator(readOwnSession),
  endOwnSession: operator(endOwnSession),
  listPartners: operator(listPartners),
  createPartner: operator(createPartner),
  readPartner: operator(readPartner),
  changePartner: operator(changePartner),
  suspendPartner: operator(suspendPartner),
  resumePartner: operator(resumePartner),
  decideGoingLiveReport: operator(decideGoingLiveReport),
  readSignInRegistration: operator(readSignInRegistration),
  setSignInRegistration: operator(setSignInRegistration),
  setCallback: operator(setCallback),
  listCredentials: operator(listCredentials),
  rotateCredential: operator(rotateCredential),
  revokeCredential: operator(revokeCredential),
  rotateWebhookSecret: operator(rotateWebhookSecret),
  testCallback: operator(testCallback),
  listPartnerMembers: operator(listPartnerMembers),
  invitePartnerMember: operator(invitePartnerMember),
  readPartnerFigures: operator(readPartnerFigures),
  listPartnerRequests: operator(listPartnerRequests),
  readPartnerRequest: operator(readPartnerRequest),
  listUse: operator(listUse, { readsReplica: true }),
  listAnomalies: operator(listAnomalies),
  acknowledgeAnomaly: operator(acknowledgeAnomaly),
  listApprovals: operator(listApprovals),
  readApproval: operator(readApproval),
  grantApproval: operator(grantApproval),
  returnApproval: operator(returnApproval),
  withdrawOwnApproval: operator(withdrawOwnApproval),
  findAuthorizations: operator(findAuthorizations),
  listDeliveries: operator(listDeliveries, { readsReplica: true }),
  replayDelivery: operator(replayDelivery),
  replayDeadLetters: operator(replayDeadLetters),
  readCitizen: operator(readCitizen),
  upsertCitizen: operator(upsertCitizen),
  importCitizens: operator(importCitizens, { isLongRunning: true }),
  eraseCitizen: operator(eraseCitizen),
  readErasure: operator(readErasure),
  readFleet: operator(readFleet, { isLongRunning: true }),
  listOperators: operator(listOperators),
  listKeys: operator(listKeys, { isLongRunning: true }),
  rewrapKeys: operator(rewrapKeys, { isLongRunning: true }),
  replayChange: operator(replayChange),
  completeRestore: operator(completeRestore, { isLongRunning: true }),
  listDisputes: operator(listDisputes, { readsReplica: true }),
  listAuditEvents: operator(listAuditEvents, { readsReplica: true }),
  listCheckpoints: operator(listCheckpoints, { readsReplica: true }),
  readCheckpoint: operator(readCheckpoint, { readsReplica: true }),
  listAuditKeys: operator(listAuditKeys, { readsReplica: true }),
  listAuditMonths: operator(listAuditMonths, { readsReplica: true }),
  verifyAudit: operator(verifyAudit, { isLongRunning: true, readsReplica: true }),
} satisfies OperationTable

/**
 * The policy of the operation with this id; `undefined` if there is none, as before the validator has matched
 * a path.
 */
export const policyOf = (operationId: string | undefined): Policy | undefined =>
  operationId !== undefined && Object.hasOwn(operations, operationId)
    ? operations[operationId as keyof OperationTable]
    : undefined

/** The policy of an operation of the partner API; `undefined` for every other operation. */
export function partnerPolicyOf(operationId: string | undefined): PartnerPolicy | undefined {
  const policy = policyOf(operationId)
  return policy && 'scope' in policy ? policy : undefined
}

/** Whether the operation may take longer than the deadline. */
export function isLongRunningOperation(operationId: string | undefined): boolean {
  const policy = policyOf(operationId)
  return policy !== undefined && 'isLongRunning' in policy && policy.isLongRunning
}
