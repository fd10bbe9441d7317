// The service measured beside its peers: `npm run bench`, with `--quick`, `--json`, `--only inquire,sso` or `--profile inquire`.
import { openBench } from './open-bench.ts'
import { PARTS, readOptions } from './options.ts'
import { benchDeliveries } from './benchmarks/deliveries.ts'
import { benchGrowth } from './benchmarks/growth.ts'
import { benchInquire } from './benchmarks/inquire.ts'
import { profileServer } from './benchmarks/profile-server.ts'
import { benchSso } from './benchmarks/sso.ts'
import { benchStartup } from './benchmarks/startup.ts'
import { benchStock } from './benchmarks/stock.ts'
import { FULL, QUICK } from './plan.ts'
import { toJson, toText } from './report/json.ts'
import { describeMachine } from './report/machine.ts'
import type { Section } from './report/section.ts'
import { writeResults } from './report/write-results.ts'

const BENCHES = {
  inquire: benchInquire,
  sso: benchSso,
  deliveries: benchDeliveries,
  stock: benchStock,
  growth: benchGrowth,
  startup: benchStartup,
}

const { isQuick, isJson, parts, profiled } = readOptions(process.argv.slice(2))
const bench = await openBench(isQuick ? QUICK : FULL, process.env['TEST_DATABASE_URL'])
try {
  if (profiled) process.stdout.write(`${await profileServer(bench, profiled)}\n`)
  else {
    const machine = describeMachine(bench.postgres)
    const sections: Section[] = []
    for (const part of PARTS) if (parts.includes(part)) sections.push(await BENCHES[part](bench))
    process.stdout.write(`${isJson ? toJson(machine, sections) : toText(sections)}\n`)
    // A quick run is too short, and a part too little, to be kept.
    if (!isQuick && sections.length === PARTS.length) await writeResults(machine, sections)
  }
} finally {
  await bench.close()
}
