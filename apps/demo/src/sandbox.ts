/** The public test data of a sandbox: its addresses, the credentials of a partner, and citizens. */
export type Sandbox = {
  base_url: string
  auth_url: string
  citizen_url: string
  partner: {
    name: string
    secret_code: string
    secret_token: string
    partner_code: string
    partner_secret: string
    webhook_secret: string
  }
  citizens: { name: string; behaviour: string; token: string }[]
}

export class NotASandboxError extends Error {}

export async function fetchSandbox(address: string): Promise<Sandbox> {
  const response = await fetch(new URL('/sandbox/bootstrap.json', address))
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!response.ok || !isJson) throw new NotASandboxError(`HTTP ${response.status}`)
  return (await response.json()) as Sandbox
}
