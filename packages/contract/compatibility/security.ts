import { isDeepStrictEqual } from 'node:util'
import { type Comparison, report } from './comparison.ts'
import { asObject, type Json, pairs, show } from './json.ts'
import { into, type Place, startAt } from './place.ts'

type Requirement = Record<string, string[]>

/** Every way to authenticate that was enough for an operation must still be enough. */
export function compareRequirements(comparison: Comparison, at: Place, before: Json, after: Json): void {
  const alternatives = requirementsOf(comparison.after, after)
  for (const old of requirementsOf(comparison.before, before))
    if (!alternatives.some((current) => satisfies(old, current)))
      report(
        comparison,
        into(at, 'security'),
        `${spell(old)} is no longer enough. Needed: ${alternatives.map(spell).join(', or ')}`,
        'Accept the published credentials and scopes. Ask for more in a new operation only.',
      )
}

function requirementsOf(document: Json, operation: Json): Requirement[] {
  const list = (operation.security ?? document.security ?? []) as Requirement[]
  return list.length > 0 ? list : [{}]
}

const satisfies = (presented: Requirement, needed: Requirement) =>
  Object.entries(needed).every(
    ([scheme, scopes]) => presented[scheme] && scopes.every((scope) => presented[scheme]!.includes(scope)),
  )

const spell = (requirement: Requirement) =>
  Object.entries(requirement)
    .map(([scheme, scopes]) => [scheme, ...scopes].map((name) => `\`${name}\``).join(' with '))
    .join(' and ') || 'no credential'

/** The published schemes keep their meaning: where the credential is sent, its form, its flows and scopes. */
export function compareSchemes(comparison: Comparison): void {
  const schemesOf = (document: Json) => asObject(document.components).securitySchemes
  for (const [name, before, after] of pairs(schemesOf(comparison.before), schemesOf(comparison.after))) {
    const at = { ...startAt(name), steps: ['security scheme'] }
    if (before === undefined) continue
    if (after === undefined) {
      report(comparison, at, 'the scheme is gone', 'Keep it, and add another scheme beside it.')
      continue
    }
    for (const [key, old, current] of pairs(before, after)) {
      if (key === 'description' || key.startsWith('x-')) continue
      if (key === 'flows') compareFlows(comparison, at, old, current)
      else if (!isDeepStrictEqual(old, current))
        report(
          comparison,
          at,
          `\`${key}\` was ${show(old)} and is ${show(current)}`,
          'Callers send the credential as published. Keep it, and add another scheme beside it.',
        )
    }
  }
}

function compareFlows(comparison: Comparison, at: Place, before: unknown, after: unknown): void {
  for (const [flow, old, current] of pairs(before, after)) {
    const place = into(at, flow)
    if (old === undefined) continue
    if (current === undefined) report(comparison, place, 'the flow is gone', 'Keep it.')
    for (const [key, value, now] of pairs(old, current)) {
      if (key === 'scopes' && current !== undefined)
        for (const [scope, known, kept] of pairs(value, now))
          if (known !== undefined && kept === undefined)
            report(comparison, place, `the scope \`${scope}\` is gone`, 'Keep it: tokens carry it.')
      if (key.endsWith('Url') && current !== undefined && value !== now)
        report(comparison, place, `\`${key}\` was ${show(value)} and is ${show(now)}`, 'Keep the address.')
    }
  }
}
