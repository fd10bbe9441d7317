import type { ArchivedDisclosure } from '../audit/archive/archive-files.ts'
// The disclosures of a citizen whose events are in the archive of the audit.
import { findArchives } from '../audit/archive/archive.sql.ts'
import { readArchivedHistory } from '../audit/archive/read-archive.ts'
import type { Service } from '../operation.ts'
import { completeDisclosures, findCitizenId, type DisclosureRow } from './disclosure.sql.ts'

type Found = { disclosure: ArchivedDisclosure; row: DisclosureRow }

/** Newest first, before the event `after`. Reads as many months as the page needs. */
export async function listArchivedOf(
  service: Service,
  uniqidHmacs: string[],
  after: number,
  limit: number,
): Promise<DisclosureRow[]> {
  const found: ArchivedDisclosure[] = []
  const archives = await findArchives(service.db)
  const citizenId = archives.length ? await findCitizenId(service.db, uniqidHmacs) : undefined
  if (citizenId === undefined) return []
  for (const archive of archives) {
    if (found.length >= limit) break
    const rows = await readArchivedHistory(service, archive, citizenId)
    found.push(...rows.filter(({ id }) => id < after))
  }
  return completeDisclosures(service.db, found.slice(0, limit))
}

/** The citizen's own disclosure by this request. */
export async function findArchivedDisclosure(
  service: Service,
  uniqidHmacs: string[],
  requestId: string,
): Promise<Found | undefined> {
  const archives = await findArchives(service.db)
  const citizenId = archives.length ? await findCitizenId(service.db, uniqidHmacs) : undefined
  if (citizenId === undefined) return undefined
  for (const archive of archives) {
    const rows = await readArchivedHistory(service, archive, citizenId)
    const disclosure = rows.find(({ request_id }) => request_id === requestId)
    const [row] = disclosure ? await completeDisclosures(service.db, [disclosure]) : []
    if (disclosure && row) return { disclosure, row }
  }
  return undefined
}
