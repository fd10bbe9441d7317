import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'

export class NotASandboxError extends Error {}

/** The public test data of a sandbox: its addresses, the credentials of a partner, and citizens. */
export async function fetchSandbox(address: string): Promise<Bootstrap> {
  const response = await fetch(new URL('/sandbox/bootstrap.json', address))
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!response.ok || !isJson) throw new NotASandboxError(`HTTP ${response.status}`)
  return (await response.json()) as Bootstrap
}
