// Measures the service beside its peers: `npm run bench`, with `--quick`, `--json`, `--only inquire,sso`, or `--records 10000000`
// (of `nation`).
import { parseArgs } from 'node:util'
import { openBench } from './bench.ts'
import { benchConsent } from './benchmarks/consent.ts'
import { benchDeliveries } from './benchmarks/deliveries.ts'
import { benchGrowth } from './benchmarks/growth.ts'
import { benchInquire } from './benchmarks/inquire.ts'
import { benchNation } from './benchmarks/nation.ts'
import { benchOidc } from './benchmarks/oidc.ts'
import { benchSso } from './benchmarks/sso.ts'
import { benchStartup } from './benchmarks/startup.ts'
import { benchStock } from './benchmarks/stock.ts'
import { stopContenders } from './contenders/contender.ts'
import { FULL, QUICK } from './plan.ts'
import { describeMachine } from './report/machine.ts'
import { type Results, toJson, toText, writeResults } from './report/results.ts'
import { log } from './rounds.ts'

const BENCHMARKS = {
  inquire: benchInquire,
  sso: benchSso,
  oidc: benchOidc,
  consent: benchConsent,
  deliveries: benchDeliveries,
  stock: benchStock,
  growth: benchGrowth,
  nation: benchNation,
  startup: benchStartup,
}
const NAMES = Object.keys(BENCHMARKS) as (keyof typeof BENCHMARKS)[]

const { quick, json, only, records } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    only: { type: 'string' },
    records: { type: 'string' },
  },
}).values
const selected = only?.split(',').map((name) => name.trim()) ?? NAMES
const unknown = selected.find((name) => !Object.hasOwn(BENCHMARKS, name))
if (unknown !== undefined)
  throw new Error(`"${unknown}" is not a valid value of --only. Use one of these: ${NAMES.join(', ')}.`)

await using stack = new AsyncDisposableStack()
const plan = quick ? QUICK : FULL
if (records !== undefined) {
  if (!/^[1-9]\d*$/.test(records))
    throw new Error(`"${records}" is not a valid value of --records. Use a number.`)
  plan.nation.records = Number(records)
}
const bench = await openBench(stack, plan, process.env['TEST_DATABASE_URL'])
const results: Results = { machine: describeMachine(bench.postgresVersion), sections: {} }
for (const name of NAMES.filter((benchmark) => selected.includes(benchmark))) {
  log(name)
  results.sections[name] = await BENCHMARKS[name](bench)
  await stopContenders()
}
process.stdout.write(`${json ? toJson(results) : toText(results)}\n`)
// RESULTS.md holds full runs of all benchmarks: a quick run is too short to publish.
if (!quick && selected === NAMES) await writeResults(results)
