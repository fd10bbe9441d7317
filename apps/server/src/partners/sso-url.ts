import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { requireSafeUrl } from '../network/safe-url.ts'

const ADDED_NAMES = ['exchange_code', 'state']

/** Refuses an unsafe URL, and one that has a parameter already that each redirect adds. */
export function requireSsoUrl(url: string | null | undefined, environment: Config['environment']): void {
  requireSafeUrl('sso_url', url, environment)
  if (url && ADDED_NAMES.some((name) => new URL(url).searchParams.has(name)))
    throw new Failure('validation_failed', {
      errors: { sso_url: ['must not have the parameter exchange_code or state, which the service adds'] },
    })
}
