// Aggregates a CPU profile. Each sample says which function ran; the time since the previous sample is added
// to the self time of that function and of its package. Idle samples, and samples outside of the given
// window, do not count. The self time of a function does not contain the functions that it calls.
//
// Example: two samples of `JSON.stringify`, 1000 and 1200 microseconds after their previous samples, give
// `JSON.stringify` a self time of 2200 microseconds.

type Frame = { functionName: string; url: string; lineNumber: number }
/** The output of `node --cpu-prof`. Times are microseconds of the monotonic clock. */
export type CpuProfile = {
  nodes: { id: number; callFrame: Frame }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

const MAX_LINES = 15

/** Self times in microseconds within a window of the profile. */
export function selfTimes(profile: CpuProfile, [fromUs, toUs]: [number, number]) {
  const { nodes, startTime, samples, timeDeltas } = profile
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const byPackage = new Map<string, number>()
  const byFunction = new Map<string, number>()
  const add = (times: Map<string, number>, name: string, us: number) =>
    times.set(name, (times.get(name) ?? 0) + us)
  let sampleTimeUs = startTime
  for (const [index, id] of samples.entries()) {
    const us = timeDeltas[index]!
    sampleTimeUs += us
    const frame = frames.get(id)!
    if (sampleTimeUs < fromUs || sampleTimeUs > toUs || frame.functionName === '(idle)') continue
    add(byPackage, packageOf(frame), us)
    add(byFunction, `${frame.functionName || '(anonymous)'} ${locationOf(frame)}`, us)
  }
  return { byPackage, byFunction }
}

/** The 15 greatest times, as percentages of the total. */
export function toLines(title: string, times: Map<string, number>): string[] {
  const totalUs = [...times.values()].reduce((sum, us) => sum + us, 0)
  const greatest = [...times].toSorted(([, a], [, b]) => b - a).slice(0, MAX_LINES)
  return [
    '',
    title,
    ...greatest.map(([name, us]) => `${((us / totalUs) * 100).toFixed(1).padStart(6)} %  ${name}`),
  ]
}

function packageOf({ url, functionName }: Frame): string {
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
  if (dependency) return dependency
  const serverFolder = /\/apps\/server\/src\/([^/]+)/.exec(url)?.[1]
  if (serverFolder) return `tiwala ${serverFolder}`
  if (url.startsWith('node:')) return url.replace(/^(node:(?:internal\/)?[^/]+).*/, '$1')
  return functionName.startsWith('(') ? functionName : 'native'
}

const locationOf = ({ url, lineNumber }: Frame) =>
  url && `${url.replace(/.*\/node_modules\//, '').replace(/.*\/apps\/server\//, '')}:${lineNumber + 1}`
