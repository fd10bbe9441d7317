// Each statement that uses a value up, against itself, stopped at each lock: exactly one of the two succeeds.
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/api-client.ts'
import { disclosingStatements } from '../kit/disclosing-statements.ts'
import { gatesAt, interleave } from '../kit/interleave.ts'

const { service, api } = await startServiceForFile()
const { singleUse, accessNow } = disclosingStatements(service, api)

describe.each(singleUse)('$name, twice', ({ kind, lifetime, prepare }) => {
  test.each(gatesAt(lifetime.table))('$name', async (gate) => {
    const [run, access] = [await prepare(), await accessNow(kind)]
    const use = (tx: typeof service.db) => run(tx, access)
    const results = await interleave(service.db, gate, use, use)
    if (gate.name === 'the first commits') expect(results).toEqual([true, false])
    else if (gate.name === 'the first rolls back') expect(results).toEqual([true, true])
    else expect(results.toSorted()).toEqual([false, true])
  })
})
