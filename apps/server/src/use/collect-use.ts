// What partners use, for the administrator who wants to end something (`listUse`).
//
// Each process remembers what it has seen in this hour. A request costs about 1 µs of look-ups in memory. What is new is stored together with
// the figures, every 5 seconds, and the statement writes a row once a day. So no request waits, and a partner that sends the same
// as before causes no statement.
import type { PartnerOperations } from '@tiwala/contract'
import { isObject, resolve } from '@tiwala/contract/references'
import { documents, operationsOf } from '../contract/documents.ts'
import { describeError } from '../describe-error.ts'
import type { Service } from '../operation.ts'
import { insertUse, MAX_NAMES, type NewUse, type UseKind } from './use.sql.ts'

const HOUR_MS = 3_600_000
/** One statement stays short. */
const MAX_WRITTEN = 2_000

/** A request of a partner that is authenticated. */
export type UsedRequest = {
  operation: keyof PartnerOperations
  /** The scope that was checked. */
  scope: string | null
  mediaType: string | undefined
  userAgent: string | undefined
  query: Record<string, unknown>
  body: unknown
  hasHeader: (name: string) => boolean
}

export type UseCollector = {
  add(partnerId: number, request: UsedRequest): void
  /** Stores what is new. True: there is more. */
  write(): Promise<boolean>
  stop(): Promise<void>
}

export function collectUse({
  db,
  log,
  notifications,
}: Pick<Service, 'db' | 'log'> & { notifications: Pick<Service['notifications'], 'onGap'> }): UseCollector {
  /** The names by partner and kind. */
  const seen = new Map<string, Set<string>>()
  const fresh: NewUse[] = []
  let hour = 0
  // The database may be a restored backup now, and a test may have moved its clock to another day.
  const stopListening = notifications.onGap(() => seen.clear())

  function addName(partnerId: number, kind: UseKind, name: string): void {
    const key = `${partnerId} ${kind}`
    let names = seen.get(key)
    if (!names) seen.set(key, (names = new Set()))
    // The client chooses its name, and no other name is without bound.
    if (names.has(name) || names.size >= 2 * MAX_NAMES) return
    names.add(name)
    fresh.push({ partner_id: partnerId, kind, name })
  }

  return {
    add: (partnerId, request) => {
      const now = Math.floor(Date.now() / HOUR_MS)
      if (now !== hour) seen.clear()
      hour = now
      addName(partnerId, 'operation', request.operation)
      if (request.scope) addName(partnerId, 'scope', request.scope)
      if (request.mediaType) addName(partnerId, 'media_type', request.mediaType)
      addName(partnerId, 'client', clientOf(request.userAgent))
      for (const { name, isSent } of OPTIONAL_FIELDS[request.operation]!)
        if (isSent(request)) addName(partnerId, 'field', `${request.operation}.${name}`)
    },
    write: async () => {
      const batch = fresh.splice(0, MAX_WRITTEN)
      if (batch.length === 0) return false
      try {
        await insertUse(db, batch)
      } catch (error) {
        // Later requests bring them again.
        for (const { partner_id, kind, name } of batch) seen.get(`${partner_id} ${kind}`)?.delete(name)
        log.warn(describeError(error), 'what partners use could not be stored; later requests bring it again')
        return false
      }
      return fresh.length > 0
    },
    stop: async () => stopListening(),
  }
}

const OWN_CLIENT = /^tiwala-client\/[\w.+-]{1,30}( \([\w.+# /-]{1,30}\))?/
const PRODUCT = /^[A-Za-z][\w.-]{0,39}(?=[/ ]|$)/

/** A version of the service's own client, or the product of another one (RFC 9110, section 10.1.5). */
export function clientOf(userAgent = ''): string {
  if (!userAgent) return 'none'
  return (OWN_CLIENT.exec(userAgent) ?? PRODUCT.exec(userAgent))?.[0] ?? 'other'
}

type Field = { name: string; isSent: (request: UsedRequest) => boolean }
type Parameter = { name: string; in: string; required?: boolean }
type Schema = { properties?: object; required?: string[] }

/** The optional parameters and fields of each operation, except the trace of the request. */
const OPTIONAL_FIELDS: Record<string, Field[]> = Object.fromEntries(
  operationsOf(documents.partner).map(({ operation: { operationId, parameters = [], requestBody } }) => {
    const schema = requestBody?.content['application/json']!.schema
    const { properties = {}, required = [] }: Schema = schema ? resolve(documents.partner, schema) : {}
    return [
      operationId,
      [
        ...parameters
          .map((parameter) => resolve(documents.partner, parameter) as Parameter)
          .filter(({ name, required: isRequired }) => !isRequired && name !== 'traceparent')
          .map(({ name, in: place }): Field => ({
            name,
            isSent: ({ query, hasHeader }) => (place === 'header' ? hasHeader(name) : name in query),
          })),
        ...Object.keys(properties)
          .filter((name) => !required.includes(name))
          .map((name): Field => ({ name, isSent: ({ body }) => isObject(body) && name in body })),
      ],
    ]
  }),
)
