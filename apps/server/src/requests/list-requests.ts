import type { Query, Schemas, Success } from '@tiwala/contract'
import { isStorable, readTime } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { paginate } from '../database/pagination.ts'
import type { AuthenticatedMember, Operation, Service } from '../operation.ts'
import { SHARED_PARTNER_CODE } from '../partners/partner.ts'
import { EVERY_STATUS, findRequests, type RequestPosition, type RequestRow } from './requests.sql.ts'

export const listRequests: Operation<'listRequests'> = async ({ db, config }, { caller, query }) => {
  const body = await listRequestsOf(db, caller.partnerId, query)
  return { status: 200, body: { ...body, requests: body.requests.map(hideSharedAddress(config, caller)) } }
}

type PartnerRequest = Schemas['PartnerRequest']

/** Every visitor of a sandbox that others can reach is a member of its shared partner, and would see who else is. */
export const hideSharedAddress =
  ({ isPublicSandbox }: Service['config'], { partnerCode }: AuthenticatedMember) =>
  (request: PartnerRequest): PartnerRequest =>
    isPublicSandbox && partnerCode === SHARED_PARTNER_CODE ? { ...request, address: null } : request

/** One page of the requests of a partner. */
export async function listRequestsOf(
  db: Database,
  partnerId: number,
  query: Query<'listRequests'>,
): Promise<Success<'listRequests'>> {
  const filter = {
    since: readTime('since', query.since),
    until: readTime('until', query.until),
    operation: query.operation,
    statuses: statusesOf(query.status, query.failed),
    error: query.error,
  }
  const { rows, next_cursor } = await paginate(query, {
    locate: fromCursor,
    read: (after, limit) => findRequests(db, partnerId, filter, after, limit),
    toCursor,
  })
  return { requests: rows.map(toRequest), next_cursor }
}

export const toRequest = (row: RequestRow): PartnerRequest => ({
  ...row,
  received_at: row.received_at.toISOString(),
})

/** `4XX`: from 400 to 499. */
function statusesOf(status: string | undefined, isFailed = false): readonly [number, number] {
  const [first, last] =
    status === undefined
      ? EVERY_STATUS
      : [Number(status.replace('XX', '00')), Number(status.replace('XX', '99'))]
  return [isFailed ? Math.max(first, 400) : first, last]
}

const toCursor = ({ received_at, request_id }: RequestRow): string =>
  Buffer.from(`${received_at.getTime()}.${request_id}`).toString('base64url')

function fromCursor(cursor: string): RequestPosition | undefined {
  const [, milliseconds, requestId] =
    /^(\d{1,15})\.(req_[0-9A-Za-z]{22})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const receivedAt = new Date(Number(milliseconds))
  return requestId && isStorable(receivedAt) ? { receivedAt, requestId } : undefined
}
