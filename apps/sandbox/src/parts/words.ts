// Times in words.
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Every unit that is not zero: `1 day 1 minute`. Seconds only if there is nothing longer. */
export function durationInWords(seconds: number): string {
  let rest = Math.floor(seconds)
  const words: string[] = []
  for (const [noun, length] of UNITS) {
    const count = Math.floor(rest / length)
    rest %= length
    if (count && (noun !== 'second' || words.length === 0)) words.push(counted(count, noun))
  }
  return words.join(' ') || 'no time'
}

/** The longest unit only: `3 hours`. */
export function aboutInWords(seconds: number): string {
  const [noun, length] = UNITS.find(([, unit]) => seconds >= unit * 1.5) ?? UNITS.at(-1)!
  return counted(Math.max(1, Math.round(seconds / length)), noun)
}

const NOW_SECONDS = 5
export const agoInWords = (seconds: number) =>
  seconds < NOW_SECONDS ? 'just now' : `${aboutInWords(seconds)} ago`
export const sinceInWords = (time: string | number) =>
  agoInWords((Date.now() - new Date(time).getTime()) / 1000)

/** `once`, `twice`, `3 times`. */
export const timesInWords = (count: number) => ['never', 'once', 'twice'][count] ?? `${count} times`
