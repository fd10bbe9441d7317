// Each statement that uses a value up, against itself, stopped at each lock: exactly one of the two succeeds.
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/api-client.ts'
import { disclosingStatements } from '../kit/disclosing-statements.ts'
import { gatesAt, interleave } from '../kit/interleave.ts'

const { service, api } = await startServiceForFile()
const { singleUse, accessNow } = disclosingStatements(service, api)

/** At the other gates one of the two succeeds. */
const RESULTS: Record<string, boolean[]> = {
  'the first commits': [true, false],
  'the first rolls back': [true, true],
}

describe.each(singleUse)('$name, twice', ({ kind, lifetime, prepare }) => {
  test.each(gatesAt('partner', 'credential', lifetime.table))('$name', async (gate) => {
    const [run, access] = [await prepare(), await accessNow(kind)]
    const use = (tx: typeof service.db) => run(tx, access)
    const results = await interleave(service.db, gate, use, use)
    const inAnyOrder = results.toSorted()
    expect([results, inAnyOrder]).toContainEqual(RESULTS[gate.name] ?? [false, true])
  })
})
