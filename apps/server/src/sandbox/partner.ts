import { readClock } from '../database/clock.ts'
import type { Service } from '../operation.ts'
import { type NewPartner, replacePartner } from '../partners/create-partner/create-partner.sql.ts'
import { hmacsOf, secretPrefix } from '../partners/credentials/credential.ts'
import { limitsOf } from '../partners/partner.ts'
import { derive } from '../secrets/key-ring.ts'
import { secretFrom } from '../secrets/tokens.ts'
import { sandboxSalt, webhookSecret } from '../webhooks/webhook-secret.ts'
import type { SandboxPartner } from './bootstrap-format.ts'

export const SANDBOX_PURPOSE = 'To register you as a guest, as the law asks of hotels.'
export const SANDBOX_SCOPES: NewPartner['scopes'] = ['PROFILE_INQUIRE', 'PROFILE_VIEW', 'SSO_AUTHENTICATION']

/**
 * The sandbox partner. Its secrets are derived from the key ring, so they are the same at every start and
 * never stored.
 */
export function sandboxPartner({ keys, config }: Service): SandboxPartner {
  const bytes = (name: string) => derive(keys.current('sandbox'), 'sandbox', name)
  const code = bytes('secret_code').toString('hex').slice(0, 20)
  return {
    name: 'Mabuhay Hotels Incorporated',
    secret_code: `twc_${code}`,
    secret_token: secretFrom(secretPrefix(config.environment, 'secret_token'), bytes('secret_token')),
    partner_code: 'SANDBOX',
    partner_secret: secretFrom(secretPrefix(config.environment, 'partner_secret'), bytes('partner_secret')),
    webhook_secret: webhookSecret(keys, sandboxSalt(keys)),
  }
}

export async function seedPartner(service: Service): Promise<void> {
  const { db, keys, config } = service
  const { name, secret_code, secret_token, partner_code, partner_secret } = sandboxPartner(service)
  const partner: NewPartner = {
    partner_code,
    secret_code,
    name,
    purpose: SANDBOX_PURPOSE,
    scopes: SANDBOX_SCOPES,
    callback_url: `${config.publicUrl}/sandbox/inbox`,
    sso_url: `${config.publicUrl}/sandbox/signed-in`,
    ip_allow_list: [],
    limits: limitsOf({}),
    created_at: await readClock(db),
  }
  // The secrets of the sandbox partner are public, so they need not expire.
  const expiresAt = new Date('9999-12-31T00:00:00Z')
  await replacePartner(db, partner, {
    hmacs: hmacsOf(keys, { secret_token, partner_secret }),
    expiresAt,
    webhookSalt: sandboxSalt(keys),
  })
}
