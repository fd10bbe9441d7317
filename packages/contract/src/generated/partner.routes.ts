// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export const routes = {
  requestAuthorization: { method: 'post', path: '/api/pub/request_authorization' },
  inquire: { method: 'get', path: '/api/pub/inquire' },
  profileByQr: { method: 'get', path: '/api/pub/profile_by_qr' },
  listRecords: { method: 'get', path: '/api/pub/authorizations' },
  cancelAuthorization: { method: 'delete', path: '/api/pub/authorizations/{tracking_no}' },
  readPartnerSelf: { method: 'get', path: '/api/pub/partner' },
  readDiagnosis: { method: 'get', path: '/api/pub/diagnostics/{request_id}' },
  generateToken: { method: 'post', path: '/api/token' },
  authenticate: { method: 'post', path: '/api/partner/sso_authentication' },
} as const
