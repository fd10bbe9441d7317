// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
import type { ResponseShape, Shape } from '../response-shape.ts'
import type { routes } from './partner.routes.ts'

const PendingAuthorization: Shape = { id: 'number', pcn: 'string', scope: 'string', tracking_no: 'string', callback_url: 'null', is_accepted: 'null', accepted_at: 'null', payload: { qr_value: 'string' }, response: 'null' }
const Profile: Shape = { uniqid: 'string', email: 'string', birth_date: 'string', first_name: 'string', middle_name: ['string', 'null'], last_name: 'string', suffix: ['string', 'null'], gender: 'string', nationality: 'string', photo: 'string', mobile: 'string', address: 'string', street: 'string', barangay: 'string', municipality: 'string', region: 'string', province: 'string', country: 'string', postal: ['string', 'null'], address_line_2: 'string', barangay_code: 'string', province_code: 'string', municipality_code: 'string', region_code: 'string', country_id: 'number', foreign_address: ['string', 'null'] }
const AcceptedAuthorization: Shape = { id: 'number', pcn: 'string', scope: 'string', tracking_no: 'string', callback_url: 'null', is_accepted: 1, accepted_at: 'string', payload: { qr_value: 'string' }, response: Profile }
const EndedAuthorization: Shape = { id: 'number', pcn: 'string', scope: 'string', tracking_no: 'string', callback_url: ['string', 'null'], is_accepted: 0, accepted_at: ['string', 'null'], payload: { qr_value: 'string' }, response: 'null' }
const ViewedAuthorization: Shape = { id: 'number', pcn: 'string', scope: 'string', tracking_no: 'string', callback_url: ['string', 'null'], is_accepted: 'null', accepted_at: 'null', payload: { qr_value: 'string' }, response: Profile }
const RecordSummary: Shape = { tracking_no: 'string', scope: 'string', state: 'string', requested_at: 'string', expires_at: ['string', 'null'], accepted_at: ['string', 'null'], ended_at: ['string', 'null'] }
const RecordPage: Shape = { records: { '[]': RecordSummary }, next_cursor: ['string', 'null'] }
const SecretExpiry: Shape = { expires_at: ['string', 'null'] }
const PartnerSelf: Shape = { name: 'string', partner_code: 'string', environment: 'string', status: 'string', scopes: { '[]': 'string' }, callback_url: ['string', 'null'], sso_url: ['string', 'null'], secrets: { secret_token: SecretExpiry, partner_secret: SecretExpiry }, limits: { requests_per_minute: 'number', views_per_minute: 'number', tokens_per_minute: 'number', sign_ins_per_minute: 'number', per_day: ['number', 'null'] } }
const DiagnosisCheck: Shape = { check: 'string', outcome: 'string', detail: ['string', 'null'] }
const Diagnosis: Shape = { request_id: 'string', operation: ['string', 'null'], occurred_at: 'string', status: 'number', error: 'string', checks: { '[]': DiagnosisCheck } }
const Passport: Shape = { first_name: 'string', middle_name: 'string', last_name: 'string', suffix: 'string', gender: 'string', birth_date: 'string', passport_number: 'string', place_issued: 'string', expiry_date: 'string' }
const SsoProfile: Shape = { uniqid: 'string', email: 'string', birth_date: 'string', first_name: 'string', middle_name: ['string', 'null'], last_name: 'string', suffix: ['string', 'null'], gender: 'string', nationality: 'string', photo: 'string', mobile: 'string', address: 'string', street: 'string', barangay: 'string', municipality: 'string', region: 'string', province: 'string', country: 'string', postal: 'number', address_line_2: 'string', barangay_code: 'string', province_code: 'string', municipality_code: 'string', region_code: 'string', country_id: 'number', foreign_address: ['string', 'null'], passport: Passport }

export const errorBody: Shape = { status: 'number', message: 'string', error: 'string', request_id: 'string' }
export const responses: Record<keyof typeof routes, ResponseShape> = {
  requestAuthorization: { headers: ['X-Request-Id', 'X-Authorization-State', 'X-Time-Zone'], body: { status: 200, message: 'string', data: [PendingAuthorization, AcceptedAuthorization, EndedAuthorization] } },
  inquire: { headers: ['X-Request-Id', 'X-Authorization-State', 'X-Time-Zone'], body: { status: 200, message: 'string', data: [PendingAuthorization, AcceptedAuthorization, EndedAuthorization, ViewedAuthorization] } },
  profileByQr: { headers: ['X-Request-Id', 'X-Authorization-State', 'X-Time-Zone'], body: { status: 200, message: 'string', data: ViewedAuthorization } },
  listRecords: { headers: ['X-Request-Id'], body: { status: 200, message: 'string', data: RecordPage } },
  cancelAuthorization: { headers: ['X-Request-Id', 'X-Authorization-State', 'X-Time-Zone'], body: { status: 200, message: 'string', data: EndedAuthorization } },
  readPartnerSelf: { headers: ['X-Request-Id'], body: { status: 200, message: 'string', data: PartnerSelf } },
  readDiagnosis: { headers: ['X-Request-Id'], body: { status: 200, message: 'string', data: Diagnosis } },
  generateToken: { headers: ['X-Request-Id'], body: { access_token: 'string' } },
  authenticate: { headers: ['X-Request-Id'], body: { status: 200, message: 'string', data: SsoProfile } },
}
