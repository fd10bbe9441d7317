// The partner's program asks for a confirmation where the administrators' program does.
import { expect, test } from 'vitest'
import { api as member } from '../src/api/member.ts'
import { api as operator } from '../src/api/operator.ts'

type Rules = Partial<Record<string, { isNeeded?: (input: Record<string, unknown>) => boolean }>>
const rules: Record<'member' | 'operator', Rules> = {
  member: member.destructive,
  operator: operator.destructive,
}

/** `rotateCredential` of administrators is `rotateOwnCredential` of members. */
const pairs = Object.keys(rules.operator)
  .map((id) => [id, id.replace(/(?=Credential$|WebhookSecret$)/, 'Own')] as const)
  .filter(([, own]) => own in member.routes)

test('the programs share these commands', () => {
  expect(pairs.map(([id]) => id).toSorted()).toEqual([
    'revokeCredential',
    'rotateCredential',
    'rotateWebhookSecret',
  ])
})

test.each(pairs)('%s asks, and %s for the same input', (id, own) => {
  expect(rules.member[own]).toBeDefined()
  for (const grace_days of [0, 7]) {
    const input = { grace_days }
    expect(rules.member[own]!.isNeeded?.(input)).toBe(rules.operator[id]!.isNeeded?.(input))
  }
})

test.each(['changeSettings', 'changeMember', 'removeMember'])('%s asks', (id) => {
  expect(rules.member).toHaveProperty(id)
})
