/**
 * How far a clock of the sandbox can be moved. Every lifetime, also that of a secret, ends within 400 days.
 * After a longer move every secret issued before would be expired.
 */
export const MAX_ADVANCE_SECONDS = 400 * 86_400

/** The newest records of a sandbox that its page shows. */
export const MAX_RECORDS = 5

export const BEHAVIORS = ['manual', 'accepts', 'declines', 'ignores'] as const
/** How a synthetic citizen answers requests: through the app, automatically at once, or never. */
export type Behavior = (typeof BEHAVIORS)[number]

export type BootstrapCitizen = { uniqid: string; name: string; behavior: Behavior; token: string }

/** The name and the secrets of the partner of a sandbox. */
export type SandboxPartner = {
  name: string
  secret_code: string
  secret_token: string
  partner_code: string
  partner_secret: string
  webhook_secret: string
}

/**
 * `operator_token`: of the default sandbox for all partners, and only if the sandbox is at a loopback address: on the
 * internet, everyone could read it. `member_token`: of the administrator of the partner, in the workbench.
 */
export type SandboxTokens = { operator_token: string; member_token: string }

/** The body of `/sandbox/bootstrap.json`. The tokens are those of an identity provider of the sandbox. */
export type Bootstrap = Partial<SandboxTokens> & {
  base_url: string
  auth_url: string
  citizen_url: string
  operator_url: string
  partner: SandboxPartner
  citizens: BootstrapCitizen[]
}

/** The response of `POST /sandbox`. `operator_token`: for the partner of this sandbox only. */
export type CreatedSandbox = Bootstrap &
  SandboxTokens & {
    sandbox_id: string
    expires_at: string
    clock_url: string
    inbox_url: string
    requests_url: string
  }

/** An event that an inbox received. `attempts`: how often. `is_refused`: the inbox answered 503. */
export type InboxEvent = {
  received_at: string
  attempts: number
  is_refused: boolean
  webhook_id: string | null
  webhook_timestamp: string | null
  webhook_signature: string | null
  signature_ok: boolean
  body: string
}

/** A request of the partner of a sandbox. */
export type ListedRequest = {
  request_id: string
  received_at: string
  method: string
  operation: string | null
  status: number
  error: string | null
  duration_ms: number
}
