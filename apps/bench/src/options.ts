import { parseArgs } from 'node:util'

export const BENCHMARK_NAMES = ['inquire', 'sso', 'deliveries', 'stock', 'growth', 'startup'] as const
export type BenchmarkName = (typeof BENCHMARK_NAMES)[number]
const PROFILE_TARGETS = ['inquire', 'sso'] as const
export type ProfileTarget = (typeof PROFILE_TARGETS)[number]
export type Options = {
  isQuick: boolean
  isJson: boolean
  benchmarkNames: readonly BenchmarkName[]
  profileTarget: ProfileTarget | undefined
}

/** `--quick`, `--json`, `--only inquire,sso`, `--profile inquire`. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      only: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  return {
    isQuick: values.quick ?? false,
    isJson: values.json ?? false,
    benchmarkNames:
      values.only?.split(',').map((name) => parseName(BENCHMARK_NAMES, name.trim(), '--only')) ??
      BENCHMARK_NAMES,
    profileTarget:
      values.profile === undefined ? undefined : parseName(PROFILE_TARGETS, values.profile, '--profile'),
  }
}

function parseName<Name extends string>(validNames: readonly Name[], value: string, option: string): Name {
  const name = validNames.find((validName) => validName === value)
  if (name === undefined)
    throw new Error(
      `"${value}" is not a valid value of ${option}. Use one of these: ${validNames.join(', ')}.`,
    )
  return name
}
