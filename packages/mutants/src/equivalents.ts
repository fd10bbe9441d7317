// Mutants that no test can kill, because the statement does the same without the part.
type Equivalent = { statement: RegExp; names: RegExp[]; reason: string }

const EQUIVALENTS: Equivalent[] = [
  {
    statement: / createPendingRecord$/,
    names: [
      /^without "(r\.state = 'PENDING'|clock_now\(\) < r\.snapshot_until)"/,
      /^"clock_now\(\) (>= r\.expires_at" with >|< r\.snapshot_until" with <=)$/,
      /^without "NOT \((c\.frozen|r\.partner_id = ANY)/,
      /^false instead of "r\.state = 'PENDING' AND clock_now\(\) >= r\.expires_at"/,
      /^true instead of "(r\.state = 'PENDING'"|clock_now\(\) < r\.snapshot_until)/,
      /^false instead of "clock_now\(\) < r\.snapshot_until/,
    ],
    reason: 'The record is new: it is pending, does not expire yet, and has no copy of the profile.',
  },
  {
    statement: / (createPendingRecord|createViewedRecord|recordDisclosure|redeemExchangeCode)$/,
    names: [/^(access|input): with the time before the lock$/],
    reason: 'This CTE is read before any lock.',
  },
  {
    statement: / consumeToken$/,
    names: [/^disclosure: without "(p\.id = t\.partner_id|k\.partner_id = p\.id)"$/],
    reason: 'A token is issued for a credential of its own partner: one condition implies the other.',
  },
  {
    statement: / recordRefusedCode$/,
    names: [/^revoked_token: ("code\.redeemed_at < .* with <=|with the time before the lock)$/],
    reason: 'The second tells a retry from a reuse. A moment makes no difference.',
  },
  {
    statement: / findToken$/,
    names: [/^without "k\.partner_id = t\.partner_id"$/],
    reason: 'A token is only issued for a credential of its own partner.',
  },
  {
    statement: / (expirePending|revokeConsentAgain)$/,
    names: [/^(due|found): without the lock for update( r)?$/],
    reason: '`r` checks the state again after it has waited for the row. The lock only saves the wait.',
  },
  {
    statement: / expirePending$/,
    names: [/^r: without "r\.state = 'PENDING'"$/],
    reason: '`due` holds the lock of the row, and has checked the state under it.',
  },
  {
    statement: / delete\w+$/,
    names: [/ with (<=|<)$/, /with the time before the lock$/],
    reason: 'Rows are kept for hours or days. A moment makes no difference.',
  },
  {
    statement: / eraseSnapshots$/,
    names: [/ with <$/],
    reason: 'Each reader checks the time itself. The copy is erased a moment later.',
  },
  {
    statement: / (expirePending|eraseSnapshots)$/,
    names: [/with the time before the lock$/],
    reason: 'The statement skips locked rows, so it does not wait.',
  },
]

export const equivalentReason = (statement: string, name: string): string | undefined =>
  EQUIVALENTS.find(
    (each) => each.statement.test(statement) && each.names.some((pattern) => pattern.test(name)),
  )?.reason
