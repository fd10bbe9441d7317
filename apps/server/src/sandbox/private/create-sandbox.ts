import type { RequestHandler } from 'express'
import { encryptCitizen } from '../../citizens/citizen-encryption.ts'
import { writeCitizens } from '../../citizens/import-citizens/import-citizens.sql.ts'
import { daysAfter, readClock } from '../../database/clock.ts'
import { Failure } from '../../failure.ts'
import { addressOf } from '../../network/addresses.ts'
import type { Service } from '../../operation.ts'
import { replacePartner } from '../../partners/create-partner/create-partner.sql.ts'
import { hmacsOf, secretPrefix } from '../../partners/credentials/credential.ts'
import { limitsOf } from '../../partners/partner.ts'
import { derive, type KeyRing } from '../../secrets/key-ring.ts'
import { mintSandboxId, mintSecret, mintSecretCode, mintUniqid } from '../../secrets/tokens.ts'
import { mintSalt, webhookSecret } from '../../webhooks/webhook-secret.ts'
import { describeSandbox } from '../bootstrap.ts'
import { type SandboxCitizen, sandboxCitizens } from '../citizens.ts'
import { SANDBOX_PURPOSE, SANDBOX_SCOPES } from '../partner.ts'
import { inboxUrlOf } from './inbox.ts'
import { insertMembers, insertSandbox, lockCreation, type Occupancy, readOccupancy } from './store.ts'

/** `POST /sandbox`: a partner and citizens that only this visitor knows. */
export const createSandbox =
  (service: Service): RequestHandler =>
  async (req, res) => {
    const { db, config, keys } = service
    const address = derive(keys.current('sandbox'), 'sandbox address', addressOf(req)).toString('base64url')
    // Checked before the expensive work, and again under the lock.
    requireRoom(service, await readOccupancy(db, address))
    const sandboxId = mintSandboxId()
    const url = `${config.publicUrl}/sandbox/${sandboxId}`
    const citizens = sandboxCitizens(config.publicUrl).map(withOwnId)
    const partner = mintPartner(service)
    const created = await db.transaction().execute(async (tx) => {
      await lockCreation(tx)
      const occupancy = await readOccupancy(tx, address)
      requireRoom(service, occupancy)
      const partnerCode = partnerCodeOf(keys, occupancy.free_slot)
      await writePartner(
        { ...service, db: tx },
        partnerCode,
        partner,
        inboxUrlOf(config, partnerCode, sandboxId),
      )
      const sandbox = await insertSandbox(tx, {
        sandboxId,
        slot: occupancy.free_slot,
        partnerCode,
        addressHmac: address,
        hours: config.privateSandboxes.hours,
      })
      await addCitizens({ ...service, db: tx }, sandbox.id, citizens)
      return { ...sandbox, partnerCode }
    })
    const { salt: _salt, ...secrets } = partner
    res
      .status(201)
      .set('Cache-Control', 'no-store')
      .json({
        sandbox_id: sandboxId,
        expires_at: created.expires_at,
        clock_url: `${url}/clock`,
        inbox_url: `${url}/inbox`,
        requests_url: `${url}/requests`,
        ...(await describeSandbox(service, { ...secrets, partner_code: created.partnerCode }, citizens)),
      })
  }

/**
 * A slot has the same partner again and again. Its code cannot be guessed: with it, anyone could put refused
 * requests into the list of another visitor.
 */
function partnerCodeOf(keys: KeyRing, slot: number): string {
  const suffix = derive(keys.current('sandbox'), 'sandbox partner', String(slot)).toString('hex').slice(0, 12)
  return `SANDBOX_${slot}_${suffix.toUpperCase()}`
}

/** Writes citizens of a sandbox. */
export async function addCitizens(
  { db, keys }: Service,
  sandbox: number,
  citizens: SandboxCitizen[],
): Promise<void> {
  const rows = citizens.map((citizen) => ({
    ...encryptCitizen(keys, undefined, citizen),
    uniqid_mac: keys.hmac('uniqid', citizen.profile.uniqid),
    is_known: false,
  }))
  await writeCitizens(db, rows)
  await insertMembers(
    db,
    sandbox,
    rows.map(({ uniqid_mac }, index) => ({ uniqid_mac, behaviour: citizens[index]!.behaviour })),
  )
}

export function withOwnId(citizen: SandboxCitizen): SandboxCitizen {
  return { ...citizen, profile: { ...citizen.profile, uniqid: mintUniqid() } }
}

function requireRoom({ config }: Service, { count, of_address, seconds_until_free }: Occupancy): void {
  const { max, maxOfAddress } = config.privateSandboxes
  const shared = 'Until then, use the shared sandbox: /sandbox/bootstrap.json.'
  if (of_address >= maxOfAddress)
    throw new Failure('rate_limited', {
      retryAfterSeconds: seconds_until_free,
      message:
        `Your address has ${maxOfAddress} private sandboxes. Use one of them, or try again later. ` + shared,
    })
  if (count >= max)
    throw new Failure('unavailable', {
      retryAfterSeconds: seconds_until_free,
      message: `All ${max} private sandboxes are in use. Try again later. ${shared}`,
    })
}

type MintedPartner = ReturnType<typeof mintPartner>

function mintPartner({ keys, config }: Service) {
  const salt = mintSalt(keys)
  return {
    name: 'Mabuhay Hotels Incorporated',
    secret_code: mintSecretCode(),
    secret_token: mintSecret(secretPrefix(config.environment, 'secret_token')),
    partner_secret: mintSecret(secretPrefix(config.environment, 'partner_secret')),
    webhook_secret: webhookSecret(keys, salt),
    salt,
  }
}

/** Creates the partner, or gives the partner of a sandbox that has ended new secrets. */
async function writePartner(
  service: Service,
  partnerCode: string,
  { name, secret_code, secret_token, partner_secret, salt }: MintedPartner,
  callbackUrl: string,
): Promise<void> {
  const { db, keys, config } = service
  const createdAt = await readClock(db)
  await replacePartner(
    db,
    {
      partner_code: partnerCode,
      secret_code,
      name,
      purpose: SANDBOX_PURPOSE,
      scopes: SANDBOX_SCOPES,
      callback_url: callbackUrl,
      sso_url: `${config.publicUrl}/sandbox/`,
      ip_allow_list: [],
      limits: limitsOf({}),
      created_at: createdAt,
    },
    {
      hmacs: hmacsOf(keys, { secret_token, partner_secret }),
      expiresAt: daysAfter(createdAt, config.secretTtlDays),
      webhookSalt: salt,
    },
  )
}
