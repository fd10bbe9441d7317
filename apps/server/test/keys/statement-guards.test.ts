// Before an access-token key is removed, a statement counts the tokens that need it.
import { expect, test } from 'vitest'
import { readClock } from '../../src/database/clock.ts'
import { countTokensIssuedBefore } from '../../src/keys/bind-keys.sql.ts'
import { addCode, addCredential, addParties, addToken, NOW, secondsFromNow } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const db = await openDatabaseForFile()

test.each([
  ['can be used', -1, {}, 1],
  ['was issued with the next key', 0, {}, 0],
  ['was used', -1, { used_at: NOW }, 0],
  ['was revoked', -1, { revoked_at: NOW }, 0],
  ['has expired', -1, { expires_at: NOW }, 0],
] as const)('a token that %s', async (_what, redeemedSeconds, values, count) => {
  await rolledBack(db, async (tx) => {
    const { partner, citizen } = await addParties(tx)
    const code = await addCode(tx, partner, citizen, { redeemed_at: secondsFromNow(redeemedSeconds) })
    await addToken(tx, code, await addCredential(tx, partner.id), values)
    expect(await countTokensIssuedBefore(tx, await readClock(tx))).toBe(count)
  })
})
