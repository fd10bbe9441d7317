// Applies a change again that was made after the restored backup.
//
// The caller has read the change from a verified export of the audit. Each kind uses a statement that changes
// nothing if the change is in effect already, and writes the audit row of the same kind, with the
// administrator as actor: after a second restore it can be applied again.
//
// Example: a backup is an hour old. Since then, a citizen was erased, and has not been since the restore.
// `citizen.erased` with the citizen's subject erases the citizen: `applied`. A second request: `in_effect`.
//
// Guarantees: a later change of the same thing stays. The citizen alone unfreezes and unblocks: no request of
// this operation gives a partner access to a citizen's data.
import type { Schemas } from '@tiwala/contract'
import type { AdminAction, RequestContext } from '../../audit/insert-audit.sql.ts'
import { reapplyRevocation } from '../../authorizations/revoke-authorization/revoke-authorization.sql.ts'
import { destroyDataKey, existsSubject } from '../../citizens/erase-citizen/erase-citizen.sql.ts'
import { reapplyRestriction } from '../../citizens/preferences/preferences.sql.ts'
import { readClock } from '../../database/clock.ts'
import type { Service, Operation } from '../../operation.ts'
import { revokeStoredCredential } from '../../partners/credentials/revoke-credential/revoke-credential.sql.ts'
import { endReplacedSecrets } from '../../partners/credentials/rotate-credential/rotate-credential.sql.ts'
import { reapplyPartnerStatus } from '../../partners/status/partner-status.sql.ts'
import { REPLAYED, findRotation, rotateStoredWebhookSecret } from '../../webhooks/webhook-secret.sql.ts'
import { mintSalt } from '../../webhooks/webhook-secret.ts'
import {
  readCredentialId,
  readField,
  readSubject,
  readRestriction,
  readTime,
  readRotation,
  requirePast,
} from './lost-change.ts'

type LostChange = Schemas['LostChange']

type ReplayOutcome = Schemas['ReplayOutcome']

type Replay = (
  service: Service,
  change: LostChange,
  action: AdminAction & RequestContext,
) => Promise<ReplayOutcome>

const REPLAYS: { [Kind in LostChange['kind']]: Replay } = {
  'credential.revoked': async (service, change, action) => {
    const id = readCredentialId(change)
    const detail = { ...action, detail: id }
    const found = await revokeStoredCredential(service, readField(change, 'partner_code'), id, detail)
    return toOutcome(found && { is_in_effect: !found.is_changed })
  },
  'credential.rotated': replayRotation,
  'webhook_secret.rotated': replayWebhookRotation,
  'partner.suspended': (service, change, action) => replayStatus(service, change, 'SUSPENDED', action),
  'partner.resumed': (service, change, action) => replayStatus(service, change, 'ACTIVE', action),
  'authorization.revoked': async ({ db }, change, action) => {
    const [code, trackingNo] = [readField(change, 'partner_code'), readField(change, 'tracking_no')]
    const found = await reapplyRevocation(db, code, trackingNo, action)
    return toOutcome(found && { is_in_effect: !found.is_changed })
  },
  'citizen.erased': async ({ db }, change, action) => {
    const subject = readSubject(change)
    if (await destroyDataKey(db, { subject }, action)) return toOutcome({ is_in_effect: false })
    return toOutcome((await existsSubject(db, subject)) ? { is_in_effect: true } : undefined)
  },
  'preferences.changed': async ({ db }, change, action) => {
    const { subject, ...restriction } = readRestriction(change)
    return toOutcome(await reapplyRestriction(db, subject, restriction, readTime(change), action))
  },
}

export const replayChange: Operation<'replayChange'> = async (
  service,
  { caller, body, requestId, traceparent },
) => {
  requirePast(body, await readClock(service.db))
  const action = { kind: body.kind, actor: caller.subject, requestId, traceparent }
  return { status: 200, body: await REPLAYS[body.kind](service, body, action) }
}

type Found = { is_in_effect: boolean; is_changed_since?: boolean } | undefined

function toOutcome(found: Found, needs_secret: ReplayOutcome['needs_secret'] = null): ReplayOutcome {
  if (!found) return { outcome: 'not_there', needs_secret }
  if (found.is_in_effect) return { outcome: 'in_effect', needs_secret }
  return { outcome: found.is_changed_since ? 'changed_since' : 'applied', needs_secret }
}

async function replayStatus(
  service: Service,
  change: LostChange,
  status: 'ACTIVE' | 'SUSPENDED',
  action: AdminAction,
): Promise<ReplayOutcome> {
  const code = readField(change, 'partner_code')
  return toOutcome(await reapplyPartnerStatus(service, code, status, readTime(change), action))
}

/** The new secret of the rotation is lost, so the partner needs another one. */
async function replayRotation(
  service: Service,
  change: LostChange,
  action: AdminAction,
): Promise<ReplayOutcome> {
  const [code, rotation] = [readField(change, 'partner_code'), readRotation(change)]
  const found = await endReplacedSecrets(service, code, rotation, readTime(change), action)
  return toOutcome(
    found && (found.known || !rotation.replaced.length) ? { is_in_effect: found.ended === 0 } : undefined,
    found?.needs_secret ? rotation.kind : null,
  )
}

/** Ends the restored secret. The new one is lost as well, so the partner needs another one. */
async function replayWebhookRotation(
  { db, keys }: Service,
  change: LostChange,
  action: AdminAction,
): Promise<ReplayOutcome> {
  const code = readField(change, 'partner_code')
  const found = await findRotation(db, code, readTime(change))
  if (!found) return toOutcome(undefined)
  if (!found.is_rotated)
    await rotateStoredWebhookSecret(db, code, mintSalt(keys), null, { ...action, detail: REPLAYED })
  return toOutcome({ is_in_effect: found.is_rotated }, found.has_secret ? null : 'webhook_secret')
}
