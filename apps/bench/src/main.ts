// Measures the service beside its peers: `npm run bench`, with `--quick`, `--json` or `--only inquire,sso`.
import { benchDeliveries } from './benchmarks/deliveries.ts'
import { benchGrowth } from './benchmarks/growth.ts'
import { benchInquire } from './benchmarks/inquire.ts'
import { benchSso } from './benchmarks/sso.ts'
import { benchStartup } from './benchmarks/startup.ts'
import { benchStock } from './benchmarks/stock.ts'
import { openBench } from './open-bench.ts'
import { BENCHMARK_NAMES, readOptions } from './options.ts'
import { FULL, QUICK } from './plan.ts'
import { toJson, toText } from './report/json.ts'
import { describeMachine } from './report/machine.ts'
import type { Section } from './report/section.ts'
import { writeResults } from './report/write-results.ts'

const BENCHMARKS = {
  inquire: benchInquire,
  sso: benchSso,
  deliveries: benchDeliveries,
  stock: benchStock,
  growth: benchGrowth,
  startup: benchStartup,
}

const { isQuick, isJson, benchmarkNames } = readOptions(process.argv.slice(2))
const bench = await openBench(isQuick ? QUICK : FULL, process.env['TEST_DATABASE_URL'])
try {
  const machine = describeMachine(bench.postgres)
  const sections: Section[] = []
  for (const name of BENCHMARK_NAMES)
    if (benchmarkNames.includes(name)) sections.push(await BENCHMARKS[name](bench))
  process.stdout.write(`${isJson ? toJson(machine, sections) : toText(sections)}\n`)
  // RESULTS.md holds full runs of all benchmarks: a quick run is too short to publish.
  if (!isQuick && sections.length === BENCHMARK_NAMES.length) await writeResults(machine, sections)
} finally {
  await bench.close()
}
