// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export const routes = {
  issueQrCode: { method: 'post', path: '/qr-codes' },
  listAuthorizations: { method: 'get', path: '/authorizations' },
  readAuthorization: { method: 'get', path: '/authorizations/{tracking_no}' },
  acceptAuthorization: { method: 'post', path: '/authorizations/{tracking_no}/accept' },
  declineAuthorization: { method: 'post', path: '/authorizations/{tracking_no}/decline' },
  revokeAuthorization: { method: 'post', path: '/authorizations/{tracking_no}/revoke' },
  issueExchangeCode: { method: 'post', path: '/exchange-codes' },
  streamEvents: { method: 'get', path: '/events' },
  listDisclosures: { method: 'get', path: '/disclosures' },
  readDisclosureProof: { method: 'get', path: '/disclosures/{disclosure_id}/proof' },
  disputeDisclosure: { method: 'post', path: '/disclosures/{disclosure_id}/dispute' },
  readPreferences: { method: 'get', path: '/preferences' },
  replacePreferences: { method: 'put', path: '/preferences' },
} as const
