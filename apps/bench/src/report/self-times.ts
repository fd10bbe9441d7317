type Frame = { functionName: string; url: string; lineNumber: number }
/** As `node --cpu-prof` writes it; times in microseconds of the monotonic clock. */
export type CpuProfile = {
  nodes: { id: number; callFrame: Frame }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

const MOST_SHOWN = 15

/** Microseconds spent in each function itself, not in what it called, between two moments. */
export function selfTimes({ nodes, startTime, samples, timeDeltas }: CpuProfile, [fromUs, toUs]: [number, number]) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const byPackage = new Map<string, number>()
  const byFunction = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, us: number) => to.set(name, (to.get(name) ?? 0) + us)
  let atUs = startTime
  for (const [index, id] of samples.entries()) {
    const us = timeDeltas[index]!
    atUs += us
    const frame = frames.get(id)!
    if (atUs < fromUs || atUs > toUs || frame.functionName === '(idle)') continue
    add(byPackage, packageOf(frame), us)
    add(byFunction, `${frame.functionName || '(anonymous)'} ${placeOf(frame)}`, us)
  }
  return { byPackage, byFunction }
}

/** The greatest, as a share of all. */
export function toLines(title: string, times: Map<string, number>): string[] {
  const all = [...times.values()].reduce((sum, us) => sum + us, 0)
  const greatest = [...times].toSorted(([, a], [, b]) => b - a).slice(0, MOST_SHOWN)
  return ['', title, ...greatest.map(([name, us]) => `${((us / all) * 100).toFixed(1).padStart(6)} %  ${name}`)]
}

function packageOf({ url, functionName }: Frame): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
  if (inPackage) return inPackage
  const own = /\/apps\/server\/src\/([^/]+)/.exec(url)?.[1]
  if (own) return `tiwala ${own}`
  if (url.startsWith('node:')) return url.replace(/^(node:(?:internal\/)?[^/]+).*/, '$1')
  return functionName.startsWith('(') ? functionName : 'native'
}

const placeOf = ({ url, lineNumber }: Frame) =>
  url && `${url.replace(/.*\/node_modules\//, '').replace(/.*\/apps\/server\//, '')}:${lineNumber + 1}`
