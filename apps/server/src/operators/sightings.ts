// Which administrators came, and with which scopes (`listOperators`). No request waits for it.
import { describeError } from '../describe-error.ts'
import type { AuthenticatedOperator, Service } from '../operation.ts'
import { writeSighting } from './sightings.sql.ts'

/** `first_seen_at` and `seen_at` are right to the hour. */
const WRITE_EVERY_MS = 3_600_000
/** An identity provider has no more administrators than this. A stranger gets no token of it. */
const MAX_REMEMBERED = 10_000

export type Sightings = (caller: AuthenticatedOperator) => void

/** Notes an administrator who was authenticated: at once if the scopes are new, or once in an hour. */
export function createSightings({ db, log }: Pick<Service, 'db' | 'log'>): Sightings {
  const written = new Map<string, { scopes: string; atMs: number }>()
  return ({ subject, session, scopes: list, onlyPartner }) => {
    // A visitor of a sandbox is no administrator, and can have any number of them.
    if (onlyPartner !== null) return
    const scopes = list.join(' ')
    const last = written.get(subject)
    if (last?.scopes === scopes && performance.now() < last.atMs + WRITE_EVERY_MS) return
    if (written.size >= MAX_REMEMBERED) written.clear()
    written.set(subject, { scopes, atMs: performance.now() })
    writeSighting(db, { subject, name: session?.name ?? null, scopes }).catch((error: unknown) => {
      written.delete(subject)
      log.warn(
        describeError(error),
        'an administrator is missing in listOperators; the next request writes it',
      )
    })
  }
}
