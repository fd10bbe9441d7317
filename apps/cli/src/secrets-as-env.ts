import type { OperatorOperations, Success } from '@tiwala/contract'

type OperationId = keyof OperatorOperations

type FormatEnvBlock<Id extends OperationId> = (body: Success<Id>) => string

const CAUTION = `# Put this into the environment of your server, never into a browser, an app or a repository.
# A person or program that has these secrets can act in your name.`

/**
 * Responses with secrets become lines for the environment of the partner's server. The README of the client
 * uses the same names.
 */
const ENV_BLOCKS: { [Id in OperationId]?: FormatEnvBlock<Id> } = {
  createPartner: ({ partner, credentials, base_url, auth_url }) => `# ${partner.partner_code} at Tiwala.
# The secrets are shown only once. They are valid until ${dayOf(credentials.expires_at)}.
${CAUTION}
TIWALA_BASE_URL=${base_url}
TIWALA_AUTH_URL=${auth_url}
TIWALA_SECRET_CODE=${credentials.secret_code}
TIWALA_SECRET_TOKEN=${credentials.secret_token}
TIWALA_PARTNER_CODE=${credentials.partner_code}
TIWALA_PARTNER_SECRET=${credentials.partner_secret}
TIWALA_WEBHOOK_SECRET=${credentials.webhook_secret}
`,
  rotateCredential: ({ credential, secret }) => `# Credential ${credential.id}. It replaces the previous one.
# The secret is shown only once. It is valid until ${dayOf(credential.expires_at)}.
${CAUTION}
TIWALA_${credential.kind.toUpperCase()}=${secret}
`,
  rotateWebhookSecret: ({ webhook_secret, previous_until }) => `# The secret is shown only once.
# ${previousSecretNote(previous_until)}
${CAUTION}
TIWALA_WEBHOOK_SECRET=${webhook_secret}
`,
}

export const secretsAsEnv = <Id extends OperationId>(id: Id, body: Success<Id>): string | undefined =>
  ENV_BLOCKS[id]?.(body)

const previousSecretNote = (until: string | null): string =>
  until
    ? `Until ${until}, events also carry a signature with the previous secret.`
    : 'The previous secret no longer signs events.'

const dayOf = (time: string): string => time.slice(0, 'YYYY-MM-DD'.length)
