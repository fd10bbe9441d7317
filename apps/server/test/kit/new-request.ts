import type { NewRequest } from '../../src/requests/requests.sql.ts'

/** A request of a partner for the log. */
export const NEW_REQUEST: NewRequest = {
  request_id: 'req_1',
  method: 'GET',
  operation: 'inquire',
  status: 200,
  error: null,
  duration_ms: 1,
  partner_id: null,
  secret_code: null,
  partner_code: null,
  credential_id: null,
  address: null,
  told_state: null,
  retry_after_seconds: null,
  is_from_browser: false,
  ago_seconds: 0,
}
