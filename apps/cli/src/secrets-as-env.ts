import type { Success } from '@tiwala/contract'
import type { OperatorId } from './document.ts'

type EnvBlock<Id extends OperatorId> = (answer: Success<Id>, baseUrl: string) => string

const SERVER_ONLY =
  '# For the environment of your server, never for a browser, an app or a repository: whoever has these acts in your name.'

/** Answers that hold secrets: what the partner pastes into its server's environment. Names as in the client's own documentation. */
const ENV_BLOCKS: { [Id in OperatorId]?: EnvBlock<Id> } = {
  createPartner: (
    { partner, credentials },
    baseUrl,
  ) => `# ${partner.partner_code} at Tiwala. The secrets are shown this once, and are good until ${dayOf(credentials.expires_at)}.
${SERVER_ONLY}
TIWALA_BASE_URL=${baseUrl}
TIWALA_AUTH_URL=${baseUrl}
TIWALA_SECRET_CODE=${credentials.secret_code}
TIWALA_SECRET_TOKEN=${credentials.secret_token}
TIWALA_PARTNER_CODE=${credentials.partner_code}
TIWALA_PARTNER_SECRET=${credentials.partner_secret}
TIWALA_WEBHOOK_SECRET=${credentials.webhook_secret}
`,
  rotateCredential: ({
    credential,
    secret,
  }) => `# ${credential.id}. Shown this once, and good until ${dayOf(credential.expires_at)}; it takes the place of the one before.
${SERVER_ONLY}
TIWALA_${credential.kind.toUpperCase()}=${secret}
`,
  rotateWebhookSecret: ({
    webhook_secret,
    previous_until,
  }) => `# Shown this once. ${previous_until ? `Until ${previous_until} events carry a signature by the previous secret, too.` : 'The previous secret signs nothing any more.'}
${SERVER_ONLY}
TIWALA_WEBHOOK_SECRET=${webhook_secret}
`,
}

export const secretsAsEnv = <Id extends OperatorId>(id: Id, answer: Success<Id>, baseUrl: string): string | undefined =>
  ENV_BLOCKS[id]?.(answer, baseUrl)

const dayOf = (time: string): string => time.slice(0, 'YYYY-MM-DD'.length)
