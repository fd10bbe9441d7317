import { parseArgs } from 'node:util'

export const BENCHMARK_NAMES = ['inquire', 'sso', 'deliveries', 'stock', 'growth', 'startup'] as const
export type BenchmarkName = (typeof BENCHMARK_NAMES)[number]
export type Options = {
  isQuick: boolean
  isJson: boolean
  benchmarkNames: readonly BenchmarkName[]
}

/** `--quick`, `--json`, `--only inquire,sso`. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      only: { type: 'string' },
    },
  })
  return {
    isQuick: values.quick ?? false,
    isJson: values.json ?? false,
    benchmarkNames: values.only?.split(',').map((name) => parseName(name.trim())) ?? BENCHMARK_NAMES,
  }
}

function parseName(value: string): BenchmarkName {
  const name = BENCHMARK_NAMES.find((validName) => validName === value)
  if (name === undefined)
    throw new Error(
      `"${value}" is not a valid value of --only. Use one of these: ${BENCHMARK_NAMES.join(', ')}.`,
    )
  return name
}
