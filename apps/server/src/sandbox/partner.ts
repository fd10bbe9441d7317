import { randomBytes } from 'node:crypto'
import type { Service } from '../operation.ts'
import type { NewPartner } from '../partners/create-partner/create-partner.sql.ts'
import { secretPrefix } from '../partners/credentials/credential.ts'
import { SHARED_PARTNER_CODE } from '../partners/partner.ts'
import { derive } from '../secrets/key-ring.ts'
import { mintSecret, mintSecretCode, secretFrom } from '../secrets/tokens.ts'
import { type Item, ITEM_NAMES } from '../sign-ins/items.ts'
import { mintSalt, sandboxSalt, webhookSecret } from '../webhooks/webhook-secret.ts'
import type { SandboxPartner } from './bootstrap-format.ts'

const NAME = 'Mabuhay Hotels Incorporated'
export const SANDBOX_SCOPES: NewPartner['scopes'] = ['PROFILE_INQUIRE', 'PROFILE_VIEW', 'SSO_AUTHENTICATION']

/** The partner of a sandbox, and the salt of its webhook secret. */
export type PartnerSecrets = { partner: SandboxPartner; salt: string }

/**
 * The partner of the default sandbox. Its secrets are derived from the key ring, so they are the same at
 * every start and never stored.
 */
export function defaultPartner({ keys, config }: Service): PartnerSecrets {
  const bytes = (name: string) => derive(keys.current('sandbox'), 'sandbox', name)
  const salt = sandboxSalt(keys)
  const code = bytes('secret_code').toString('hex').slice(0, 20)
  const partner = {
    name: NAME,
    secret_code: `twc_${code}`,
    secret_token: secretFrom(secretPrefix(config.environment, 'secret_token'), bytes('secret_token')),
    partner_code: SHARED_PARTNER_CODE,
    partner_secret: secretFrom(secretPrefix(config.environment, 'partner_secret'), bytes('partner_secret')),
    webhook_secret: webhookSecret(keys, salt),
  }
  return { partner, salt }
}

/** The partner of a visitor's sandbox. */
export function mintPartner({ keys, config }: Service): PartnerSecrets {
  const salt = mintSalt(keys)
  const partner = {
    name: NAME,
    secret_code: mintSecretCode(),
    secret_token: mintSecret(secretPrefix(config.environment, 'secret_token')),
    // It cannot be guessed: with it, anyone could put refused requests into the list of another visitor.
    partner_code: `${SHARED_PARTNER_CODE}_${randomBytes(8).toString('hex').toUpperCase()}`,
    partner_secret: mintSecret(secretPrefix(config.environment, 'partner_secret')),
    webhook_secret: webhookSecret(keys, salt),
  }
  return { partner, salt }
}

/** Signs in with every item, from every application on the developer's machine. */
export const signInRegistration = (publicUrl: string) => ({
  redirect_uris: [`${publicUrl}/sandbox/signed-in`],
  post_logout_redirect_uris: [`${publicUrl}/sandbox/`],
  allows_loopback: true,
  profile: 'standard' as const,
  id_token_signed_response_alg: 'RS256' as const,
  keys: [],
  jwks_url: null,
  purposes: [
    {
      name: 'check-in',
      text: 'To register you as a guest, as the law asks of hotels.',
      items: ITEM_NAMES.filter((item) => !OPTIONAL.has(item)),
      optional_items: [...OPTIONAL],
      minimum_acr: null,
    },
  ],
})
const OPTIONAL = new Set<Item>(['picture', 'email', 'phone_number'])
