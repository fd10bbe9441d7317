import type { Success } from '@tiwala/contract'
import type { OperatorId } from './document.ts'

type RowIn<Body> = {
  [Name in keyof Body]: Body[Name] extends readonly (infer Item extends object)[] ? Item : never
}[keyof Body]
type Row<Id extends OperatorId> = RowIn<Success<Id>>
/** The operations that return rows. The report of an import has rows, but is not a list. */
export type ListId = Exclude<
  { [Id in OperatorId]: [Row<Id>] extends [never] ? never : Id }[OperatorId],
  'importCitizens'
>

/** The columns of each table, few enough to fit a terminal. `--json` prints all fields. */
export const columns: { [Id in ListId]: readonly (keyof Row<Id> & string)[] } = {
  listPartners: ['partner_code', 'name', 'status', 'scopes', 'created_at'],
  listCredentials: ['id', 'kind', 'status', 'created_at', 'expires_at', 'last_used_on'],
  findAuthorizations: [
    'tracking_no',
    'partner_code',
    'scope',
    'state',
    'requested_at',
    'accepted_at',
    'ended_at',
  ],
  listDeliveries: [
    'webhook_id',
    'partner_code',
    'type',
    'occurred_at',
    'status',
    'attempts',
    'last_outcome',
    'next_attempt_at',
  ],
  listDisputes: ['disputed_at', 'partner_code', 'way', 'disclosed_at', 'disclosure_id', 'tracking_no'],
  listAuditEvents: ['id', 'occurred_at', 'kind', 'partner_code', 'tracking_no', 'actor', 'detail'],
  listCheckpoints: ['checkpoint', 'first_position', 'last_position', 'latest_event_at', 'sealed_at', 'kid'],
  listAuditKeys: ['kid', 'alg', 'crv', 'x'],
  listKeys: ['purpose', 'kid', 'is_current', 'active_from', 'in_use'],
}

export const isListing = (id: OperatorId): id is ListId => Object.hasOwn(columns, id)
