export type Behaviour = 'manual' | 'accepts' | 'declines' | 'ignores'
export type SandboxCitizen = { uniqid: string; name: string; behaviour: Behaviour; token: string }

/** The response of `POST /sandbox`. */
export type Sandbox = {
  sandbox_id: string
  expires_at: string
  citizen_url: string
  partner: {
    name: string
    secret_code: string
    secret_token: string
    partner_code: string
    partner_secret: string
    webhook_secret: string
  }
  citizens: SandboxCitizen[]
}
