import type { ApiClient } from './api-client.ts'

type Registration = { partner_code: string; scopes: string[]; callback_url?: string }

/** Registers a partner as the operator. Returns its credentials. */
export async function registerPartner(api: ApiClient, registration: Registration) {
  const json = { name: registration.partner_code, purpose: 'To test.', ...registration }
  const response = await api.send('createPartner', { headers: api.asOperator, json })
  if (response.status !== 201) throw new Error(`creating a partner failed: ${response.status}`)
  return ((await response.json()) as { credentials: { secret_code: string; secret_token: string } })
    .credentials
}
