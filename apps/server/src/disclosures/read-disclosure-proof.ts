import type { Schemas } from '@tiwala/contract'
import { archiveOf, findArchives } from '../audit/archive/archive.sql.ts'
import { proveArchived } from '../audit/archive/read-archive.ts'
import { proveEvent } from '../audit/proof/prove-event.ts'
import { Failure, unknownDisclosure } from '../failure.ts'
import type { AuthenticatedCitizen, Operation, Service } from '../operation.ts'
import { findArchivedDisclosure } from './archived-disclosures.ts'
import { findDisclosure } from './disclosure.sql.ts'

export const readDisclosureProof: Operation<'readDisclosureProof'> = async (service, { caller, path }) => {
  const release = service.concurrencyCaps.proofsOfCitizen.acquire(caller.uniqidHmacs[0]!)
  if (!release)
    throw new Failure('rate_limited', {
      retryAfterSeconds: 1,
      message: 'This citizen reads too many proofs at once',
    })
  try {
    return { status: 200, body: await prove(service, caller, path.disclosure_id) }
  } finally {
    release()
  }
}

async function prove(
  service: Service,
  caller: AuthenticatedCitizen,
  id: string,
): Promise<Schemas['DisclosureProof']> {
  const disclosure = await findDisclosure(service.db, caller.uniqidHmacs, id)
  if (!disclosure) return proveFromArchive(service, caller, id)
  const proof = await proveEvent(service, disclosure.id)
  if (!proof)
    throw new Failure('unavailable', { message: 'This disclosure is not sealed yet', retryAfterSeconds: 1 })
  return { disclosure_id: disclosure.request_id, ...proof }
}

async function proveFromArchive(
  service: Service,
  { uniqidHmacs }: AuthenticatedCitizen,
  disclosure_id: string,
): Promise<Schemas['DisclosureProof']> {
  const found = await findArchivedDisclosure(service, uniqidHmacs, disclosure_id)
  if (!found) throw unknownDisclosure()
  // The checkpoint of an event at the turn of a month is in the archive of the month before.
  const archive = archiveOf(await findArchives(service.db), found.disclosure.checkpoint)
  if (!archive) throw new Error('The archive of the audit lacks a checkpoint.')
  return { disclosure_id, ...(await proveArchived(service, archive, found.disclosure)) }
}
