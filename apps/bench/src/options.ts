import { parseArgs } from 'node:util'

export const PARTS = ['inquire', 'sso', 'deliveries', 'stock', 'growth', 'startup'] as const
export type Part = (typeof PARTS)[number]
export type Profiled = 'inquire' | 'sso'
export type Options = { isQuick: boolean; isJson: boolean; parts: readonly Part[]; profiled: Profiled | undefined }

/** `--quick`, `--json`, `--only inquire,sso`, `--profile inquire`. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' }, profile: { type: 'string' } },
  })
  const parts = values.only?.split(',').map((part) => oneOf(PARTS, part.trim(), '--only')) ?? PARTS
  const profiled = values.profile === undefined ? undefined : oneOf(['inquire', 'sso'] as const, values.profile, '--profile')
  return { isQuick: values.quick ?? false, isJson: values.json ?? false, parts, profiled }
}

function oneOf<Known extends string>(known: readonly Known[], given: string, option: string): Known {
  const found = known.find((each) => each === given)
  if (found === undefined) throw new Error(`${option} takes ${known.join(', ')}; "${given}" is none of them`)
  return found
}
