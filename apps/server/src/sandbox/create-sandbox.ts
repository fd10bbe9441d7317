// Creates sandboxes: the default one at each start, and those of visitors.
import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { encryptCitizen } from '../citizens/citizen-encryption.ts'
import { writeCitizens } from '../citizens/put-citizens.sql.ts'
import { putCitizens } from '../citizens/put-citizens.ts'
import { daysAfter, readClock } from '../database/clock.ts'
import { withStartupLock } from '../database/startup-lock.ts'
import { Failure } from '../failure.ts'
import { findPartnerId, putMembers } from '../members/member.sql.ts'
import { addressOf, networkOf } from '../network/addresses.ts'
import type { Service } from '../operation.ts'
import { type NewPartner, replacePartner } from '../partners/create-partner/create-partner.sql.ts'
import { hmacsOf } from '../partners/credentials/credential.ts'
import { limitsOf } from '../partners/partner.ts'
import { derive } from '../secrets/key-ring.ts'
import { mintSandboxId, mintUniqid } from '../secrets/tokens.ts'
import { putRegistration } from '../sign-ins/registration/registration.sql.ts'
import { describeOwnSandbox, visitorUrlOf } from './bootstrap.ts'
import { type SandboxCitizen, sandboxCitizens } from './citizens.ts'
import { inboxUrlOf } from './inbox.ts'
import {
  defaultPartner,
  mintPartner,
  type PartnerSecrets,
  SANDBOX_SCOPES,
  signInRegistration,
} from './partner.ts'
import {
  DEFAULT_ID,
  insertMembers,
  insertSandbox,
  lockCreation,
  type NewSandbox,
  type Occupancy,
  readOccupancy,
} from './sandboxes.sql.ts'
import { staffOf } from './staff.ts'

/**
 * Writes the default sandbox, the same at every start. Any number of processes may do it at once.
 */
export async function seedDefaultSandbox(service: Service): Promise<void> {
  const sandbox = {
    sandboxId: DEFAULT_ID,
    inboxKey: DEFAULT_ID,
    addressHmac: null,
    networkHmac: null,
    hours: null,
  }
  const { id } = await withStartupLock(service.db, (tx) =>
    writeSandbox({ ...service, db: tx }, sandbox, defaultPartner(service)),
  )
  const citizens = sandboxCitizens(service.config.publicUrl)
  // One by one: their ids, and so the lists of the sandbox, keep this order.
  for (const citizen of citizens) await putCitizens(service, [citizen])
  await addMembers(service, id, citizens)
}

/** `POST /sandbox`: a partner and citizens that only this visitor knows. */
export const createSandbox =
  (service: Service): RequestHandler =>
  async (req, res) => {
    const { db, config, keys } = service
    const hmac = (text: string) =>
      derive(keys.current('sandbox'), 'sandbox address', text).toString('base64url')
    const visitor = { addressHmac: hmac(addressOf(req)), networkHmac: hmac(networkOf(req)) }
    // Checked before the expensive work, and again under the lock.
    requireRoom(service, await readOccupancy(db, visitor))
    const { hours } = config.sandboxes
    const sandbox = { sandboxId: mintSandboxId(), inboxKey: randomUUID(), ...visitor, hours }
    const citizens = sandboxCitizens(config.publicUrl).map(withOwnId)
    const secrets = mintPartner(service)
    const { expires_at } = await db.transaction().execute(async (tx) => {
      await lockCreation(tx)
      requireRoom(service, await readOccupancy(tx, visitor))
      const written = await writeSandbox({ ...service, db: tx }, sandbox, secrets)
      await addCitizens({ ...service, db: tx }, written.id, citizens)
      return written
    })
    const visitorUrl = visitorUrlOf(config, req)
    const url = `${visitorUrl}/sandbox/${sandbox.sandboxId}`
    res
      .status(201)
      .set('Cache-Control', 'no-store')
      .json({
        sandbox_id: sandbox.sandboxId,
        expires_at,
        clock_url: `${url}/clock`,
        inbox_url: `${url}/inbox.json`,
        requests_url: `${url}/requests`,
        ...(await describeOwnSandbox(service, visitorUrl, secrets.partner, citizens)),
      })
  }

/** `Retry-After`: when the next sandbox of those that fill the limit ends, of each limit that is reached. */
function requireRoom({ config }: Service, { all, ofAddress, ofNetwork }: Occupancy): void {
  const { max, maxOfAddress, maxOfNetwork } = config.sandboxes
  const otherwise = 'Until then, use the default one: /sandbox/bootstrap.json.'
  const yours = (owner: string, most: number) =>
    `Your ${owner} has ${most} sandboxes. Use one of them, or try again later. ${otherwise}`
  const limits = [
    { ...ofAddress, most: maxOfAddress, code: 'rate_limited', message: yours('address', maxOfAddress) },
    { ...ofNetwork, most: maxOfNetwork, code: 'rate_limited', message: yours('network', maxOfNetwork) },
    {
      ...all,
      most: max,
      code: 'unavailable',
      message: `All ${max} sandboxes are in use. Try again later. ${otherwise}`,
    },
  ] as const
  const full = limits.filter(({ count, most }) => count >= most)
  if (!full[0]) return
  const { code, message } = full[0]
  const retryAfterSeconds = Math.max(...full.map(({ endsInSeconds }) => endsInSeconds))
  throw new Failure(code, { retryAfterSeconds, message })
}

/** Writes a sandbox with its partner; returns when it ends. A partner that exists is restored. */
async function writeSandbox(
  service: Service,
  sandbox: Omit<NewSandbox, 'partnerCode'>,
  { partner, salt }: PartnerSecrets,
): Promise<{ id: number; expires_at: Date }> {
  const { db, keys, config } = service
  const isDefault = sandbox.sandboxId === DEFAULT_ID
  const { partner_code, secret_code, name } = partner
  const created_at = await readClock(db)
  const newPartner: NewPartner = {
    partner_code,
    secret_code,
    name,
    purpose: 'To register you as a guest, as the law asks of hotels.',
    scopes: SANDBOX_SCOPES,
    callback_url: inboxUrlOf(service, sandbox.inboxKey),
    sso_url: `${config.publicUrl}/sandbox/${isDefault ? 'signed-in' : ''}`,
    ip_allow_list: [],
    limits: limitsOf({}),
    created_at,
  }
  await replacePartner(db, newPartner, {
    hmacs: hmacsOf(keys, partner),
    // The secrets of the default partner are public, so they need not expire.
    expiresAt: isDefault ? new Date('9999-12-31T00:00:00Z') : daysAfter(created_at, config.secretTtlDays),
    webhookSalt: salt,
  })
  await putRegistration(db, partner_code, signInRegistration(config.publicUrl))
  await putMembers(db, staffOf((await findPartnerId(db, partner_code))!, partner_code))
  return insertSandbox(db, { ...sandbox, partnerCode: partner_code })
}

/** Writes new citizens of a sandbox. */
export async function addCitizens(
  service: Service,
  sandbox: number,
  citizens: SandboxCitizen[],
): Promise<void> {
  const { db, keys } = service
  const rows = citizens.map((citizen) => ({
    ...encryptCitizen(keys, undefined, citizen),
    uniqid_hmac: keys.hmac('uniqid', citizen.profile.uniqid),
    is_known: false,
  }))
  await writeCitizens(db, rows)
  await addMembers(service, sandbox, citizens)
}

const addMembers = ({ db, keys }: Service, sandbox: number, citizens: SandboxCitizen[]): Promise<void> =>
  insertMembers(
    db,
    sandbox,
    citizens.flatMap(({ behavior, profile }) =>
      keys.hmacs('uniqid', profile.uniqid).map((uniqid_hmac) => ({ uniqid_hmac, behavior })),
    ),
  )

export function withOwnId(citizen: SandboxCitizen): SandboxCitizen {
  return { ...citizen, profile: { ...citizen.profile, uniqid: mintUniqid() } }
}
