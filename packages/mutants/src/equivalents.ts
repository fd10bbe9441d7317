// Mutants that no test can kill, because the statement or the code does the same without the part. Those of
// the code are in `code-equivalents.ts`.
import { CODE_EQUIVALENTS, type Equivalent } from './code-equivalents.ts'

const SQL_EQUIVALENTS: Equivalent[] = [
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
    statement: / recordDisclosure$/,
    names: [/^citizen_lock: without "\(SELECT is_current FROM access\)"$/],
    reason: '`r` checks it once, before it reads `citizen_lock`.',
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
    statement: / (expirePending|eraseSnapshots|markDueEventsQueued|remindOfExpiry)$/,
    names: [/with the time before the lock$/],
    reason: 'The statement skips locked rows, so it does not wait.',
  },
  {
    statement:
      / (readUnsealed|countUnsealed|readUnsealedSeconds|listDisclosuresOf|findDisclosure|insertDispute)$/,
    names: [/^(disclosure: )?without "true"$/],
    reason: 'The condition is always true. The statement puts other conditions in its place or after it.',
  },
  {
    statement: / writeCitizens$/,
    names: [/^locked_citizen: without the lock for nokeyupdate c$/],
    reason: '`citizen_lock` orders the writers, and `replacement` checks the row again after it has waited.',
  },
  {
    statement: / destroyDataKey$/,
    names: [/^citizen_lock: without "data_key IS NOT NULL"$/],
    reason: '`c` has the same condition. Without a row to change, the lock makes no difference.',
  },
  {
    statement: / restrictAgain$/,
    names: [/^change: false instead of "was_frozen AND NOT \(frozen\)"$/],
    reason:
      'The statement never unfreezes a citizen. `putPreferences` describes its change with the same text.',
  },
  {
    statement: / insertSuccessor$/,
    names: [/^valid_credential: with the time before the lock$/],
    reason: 'This CTE is read before the statement locks a row. The partner was locked by an earlier one.',
  },
  {
    statement: / (countExpiring|remindOfExpiry)$/,
    names: [/^(due: )?"n\.id > c\.id" with >=$/],
    reason: 'A secret does not live longer than itself.',
  },
  {
    statement: / insertPartner$/,
    names: [
      /^without "NOT \(EXISTS \(SELECT FROM credential AS c WHERE c\.partner_id = s\.id /,
      /^without "c\.(mac = |expires_at = |revoked_at IS NULL)/,
    ],
    reason: 'The partner is new, so it has no secret yet.',
  },
  {
    statement: / replacePartner$/,
    names: [/^without "c\.mac = ANY \(\$17\)"$/],
    reason: '`i` has the same HMACs, so `c.mac = i.mac` implies it.',
  },
  {
    statement: / revokeStoredCredential$/,
    names: [
      /^true instead of "(c\.revoked_at IS NOT NULL|clock_now\(\) >= c\.expires_at)"$/,
      /^false instead of "clock_now\(\) >= c\.expires_at"$/,
      /^"clock_now\(\) >= c\.expires_at" with >$/,
    ],
    reason: 'Each row that it returns is revoked.',
  },
  {
    statement: / revokeStoredCredential$/,
    names: [/^without "revoked_at IS NOT NULL"$/],
    reason:
      'Only the first row is read. If the credential is revoked now, that is the row of this revocation.',
  },
]

export const equivalentReason = (statement: string, name: string): string | undefined =>
  [...SQL_EQUIVALENTS, ...CODE_EQUIVALENTS].find(
    (each) => each.statement.test(statement) && each.names.some((pattern) => pattern.test(name)),
  )?.reason
