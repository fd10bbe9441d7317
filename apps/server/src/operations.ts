import { listAuditEvents } from './audit/operator/list-audit-events.ts'
import { listAuditKeys } from './audit/operator/list-audit-keys.ts'
import { listCheckpoints } from './audit/operator/list-checkpoints.ts'
import { readCheckpoint } from './audit/operator/read-checkpoint.ts'
import { verifyAudit } from './audit/operator/verify/verify-audit.ts'
import { cancelAuthorization } from './authorizations/cancel-authorization.ts'
import { acceptAuthorization } from './authorizations/consent/accept-authorization.ts'
import { declineAuthorization } from './authorizations/consent/decline-authorization.ts'
import { streamEvents } from './authorizations/consent/events/stream-events.ts'
import { issueQrCode } from './authorizations/consent/issue-qr-code.ts'
import { listAuthorizations } from './authorizations/consent/list-authorizations.ts'
import { readAuthorization } from './authorizations/consent/read-authorization.ts'
import { revokeAuthorization } from './authorizations/consent/revoke-authorization.ts'
import { findAuthorizations } from './authorizations/find-authorizations.ts'
import { inquire } from './authorizations/inquire.ts'
import { profileByQr } from './authorizations/opening/profile-by-qr.ts'
import { requestAuthorization } from './authorizations/opening/request-authorization.ts'
import { listDeliveries } from './callbacks/operator/list-deliveries.ts'
import { replayDelivery } from './callbacks/operator/replay-delivery.ts'
import { rotateWebhookSecret } from './callbacks/operator/rotate-webhook-secret.ts'
import { testCallback } from './callbacks/operator/test-callback.ts'
import { eraseCitizen } from './citizens/erase-citizen.ts'
import { importCitizens } from './citizens/import/import-citizens.ts'
import { readPreferences } from './citizens/read-preferences.ts'
import { replacePreferences } from './citizens/replace-preferences.ts'
import { upsertCitizen } from './citizens/upsert-citizen.ts'
import { readDiagnosis } from './diagnostics/read-diagnosis.ts'
import { disputeDisclosure } from './disclosures/dispute-disclosure.ts'
import { listDisclosures } from './disclosures/list-disclosures.ts'
import { listDisputes } from './disclosures/list-disputes.ts'
import { readDisclosureProof } from './disclosures/read-disclosure-proof.ts'
import { completeRestore } from './keys/complete-restore.ts'
import { listKeys } from './keys/list-keys.ts'
import { rewrapKeys } from './keys/rewrap-keys.ts'
import type { OperationTable } from './operation.ts'
import { changePartner } from './partners/change-partner.ts'
import { createPartner } from './partners/create-partner.ts'
import { listCredentials } from './partners/credentials/list-credentials.ts'
import { revokeCredential } from './partners/credentials/revoke-credential.ts'
import { rotateCredential } from './partners/credentials/rotate-credential.ts'
import { listPartners } from './partners/list-partners.ts'
import { readPartner } from './partners/read-partner.ts'
import { resumePartner } from './partners/resume-partner.ts'
import { readPartnerSelf } from './partners/self/read-partner-self.ts'
import { setCallback } from './partners/set-callback.ts'
import { suspendPartner } from './partners/suspend-partner.ts'
import { authenticate } from './sso/authenticate.ts'
import { generateToken } from './sso/generate-token.ts'
import { issueExchangeCode } from './sso/issue-exchange-code.ts'

/** The whole API. Where each operation lives is written in spec/; what it takes and gives, too. */
export const operations = {
  // partner
  requestAuthorization,
  inquire,
  profileByQr,
  cancelAuthorization,
  readPartnerSelf,
  readDiagnosis,
  generateToken,
  authenticate,
  // citizen-app
  issueQrCode,
  listAuthorizations,
  readAuthorization,
  acceptAuthorization,
  declineAuthorization,
  revokeAuthorization,
  streamEvents,
  issueExchangeCode,
  listDisclosures,
  disputeDisclosure,
  readDisclosureProof,
  readPreferences,
  replacePreferences,
  // operator
  listPartners,
  createPartner,
  readPartner,
  changePartner,
  suspendPartner,
  resumePartner,
  setCallback,
  listCredentials,
  rotateCredential,
  revokeCredential,
  rotateWebhookSecret,
  testCallback,
  findAuthorizations,
  listDeliveries,
  replayDelivery,
  upsertCitizen,
  importCitizens,
  eraseCitizen,
  listKeys,
  rewrapKeys,
  completeRestore,
  listDisputes,
  listAuditEvents,
  listCheckpoints,
  readCheckpoint,
  listAuditKeys,
  verifyAudit,
} satisfies OperationTable
