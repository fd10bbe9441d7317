// The identity provider of the administrators of a sandbox on the own machine. Elsewhere there is none: its visitors do
// not know each other.
import type { Config } from '../config.ts'
import type { Service } from '../operation.ts'
import { sandboxProvider, type SandboxProvider } from './provider.ts'
import { sandboxTokens } from './tokens.ts'

/** The scopes of each person. `undefined`: all. */
const PEOPLE: Record<string, { what: string; scope?: string }> = {
  'administrator@tiwala.example': { what: 'may do everything' },
  'support@tiwala.example': {
    what: 'reads partners, records, citizens and deliveries, and sends events again',
    scope: 'partners:read authorizations:read citizens:read deliveries:read deliveries:write disputes:read',
  },
  'auditor@tiwala.example': { what: 'reads the audit', scope: 'audit:read' },
}

export const hasSandboxOperators = ({ isLocalSandbox, operatorIdentity }: Config) =>
  isLocalSandbox && !operatorIdentity.issuer

export function sandboxOperators(service: Service): SandboxProvider {
  const tokens = sandboxTokens(service)
  return sandboxProvider(service, {
    path: '/sandbox/operators',
    issuer: 'https://sandbox-operators.tiwala.invalid',
    clientId: 'tiwala-console',
    origins: [service.config.console.url],
    signInPath: '/console',
    lead: "This page stands for the identity provider of the service's administrators. These people exist only in the sandbox.",
    findPeople: async () => Object.entries(PEOPLE).map(([email, { what }]) => ({ email, what })),
    accessTokenOf: (email) => tokens.operator(PEOPLE[email]?.scope, undefined, email),
  })
}
