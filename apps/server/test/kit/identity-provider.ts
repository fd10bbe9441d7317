import { onTestFinished } from 'vitest'
import { startIdentityProvider } from './start-identity-provider.ts'

/** An identity provider until the test ends. */
export async function startProvider(audience: string) {
  const provider = await startIdentityProvider(audience)
  onTestFinished(provider.stop)
  return provider
}
