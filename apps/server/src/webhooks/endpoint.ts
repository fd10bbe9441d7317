import type { Schemas } from '@tiwala/contract'
import type { EndpointRow } from './endpoint.sql.ts'

export const toEndpoint = (row: EndpointRow): Schemas['Endpoint'] => ({
  callback_url: row.callback_url,
  status: statusOf(row),
  disabled_at: row.disabled_at?.toISOString() ?? null,
  dead_letters: row.dead_letters,
  previous_secret_until: row.previous_secret_until?.toISOString() ?? null,
})

function statusOf({ callback_url, is_failing, disabled_at }: EndpointRow): Schemas['Endpoint']['status'] {
  if (callback_url === null) return 'NOT_SET'
  if (disabled_at) return 'DISABLED'
  return is_failing ? 'FAILING' : 'ACTIVE'
}
