import { cancelAuthorization } from './authorizations/cancel-authorization.ts'
import { acceptAuthorization } from './authorizations/consent/accept-authorization.ts'
import { declineAuthorization } from './authorizations/consent/decline-authorization.ts'
import { issueQrCode } from './authorizations/consent/issue-qr-code.ts'
import { listAuthorizations } from './authorizations/consent/list-authorizations.ts'
import { readAuthorization } from './authorizations/consent/read-authorization.ts'
import { revokeAuthorization } from './authorizations/consent/revoke-authorization.ts'
import { inquire } from './authorizations/inquire.ts'
import { profileByQr } from './authorizations/profile-by-qr.ts'
import { requestAuthorization } from './authorizations/request-authorization.ts'
import { upsertCitizen } from './citizens/upsert-citizen.ts'
import type { OperationTable } from './operation.ts'
import { createPartner } from './partners/create-partner.ts'
import { resumePartner } from './partners/resume-partner.ts'
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
  generateToken,
  authenticate,
  // citizen-app
  issueQrCode,
  listAuthorizations,
  readAuthorization,
  acceptAuthorization,
  declineAuthorization,
  revokeAuthorization,
  issueExchangeCode,
  // operator
  createPartner,
  suspendPartner,
  resumePartner,
  upsertCitizen,
} satisfies OperationTable
