// Who may call an operation, and how often: from the table of the server, and the document.
import { checksOf } from '@tiwala/server/checks'
import { policyOf } from '@tiwala/server/operations'
import { documentOf, type Operation } from './operations.ts'

const CALLERS: Record<string, string> = {
  secret_headers: 'Your server, with the headers `X-Secret-Code` and `X-Secret-Token`.',
  secret_in_body: 'Your server, with `partner_code` and `partner_secret` in the body.',
  access_token: 'Your server, with the access token: `Authorization: Bearer twa_...`.',
  citizen_token: "The citizen app, with the citizen's token: `Authorization: Bearer ...`.",
  operator_token: "An administrator, with a token of the administrators' identity provider.",
  member:
    'A person of a partner, with the session of a browser, which `/workbench/sign-in` starts, or with an access token of ' +
    'the same identity provider.',
}

export type Fact = { name: string; text: string }

export function factsOf(operation: Operation): Fact[] {
  const policy = policyOf(operation.id)
  if (!policy) throw new Error(`The server has no operation ${operation.id}`)
  const facts = [{ name: 'Who calls', text: CALLERS[policy.authentication]! }]
  const scopes = 'scope' in policy ? [policy.scope] : operatorScopesOf(operation)
  const needed = scopes.filter((scope) => scope !== null).map((scope) => `\`${scope}\``)
  if (needed.length) facts.push({ name: 'role' in policy ? 'Role' : 'Scope', text: needed.join(', ') })
  if ('rateLimit' in policy) facts.push(...limitsOf(policy))
  if ('isLongRunning' in policy && policy.isLongRunning)
    facts.push({ name: 'Duration', text: 'Can take minutes: the deadline of other requests does not apply.' })
  const checks = checksOf(operation.id)
  if (checks.length)
    facts.push({
      name: 'Checks',
      text:
        `${checks.map((check) => `\`${check}\``).join(', ')}. ` +
        'After an error, `readDiagnosis` says which checks passed, in their order, and which one failed.',
    })
  return facts
}

function operatorScopesOf(operation: Operation): string[] {
  const security = operation.spec.security ?? documentOf(operation).security ?? []
  return [...new Set(security.flatMap((requirement) => Object.values(requirement).flat()))]
}

function limitsOf({
  rateLimit,
  isCountedDaily,
}: {
  rateLimit: string | null
  isCountedDaily: boolean
}): Fact[] {
  const limits = [
    ...(rateLimit
      ? [`VALUE_${rateLimit.toUpperCase()} requests a minute, or your own limit if you have one.`]
      : []),
    ...(isCountedDaily ? ['A success counts against your daily quota, if you have one.'] : []),
  ]
  return limits.length ? [{ name: 'Limits', text: limits.join(' ') }] : []
}
