import { COLUMNS, medianOf, type Rounds } from '../rounds.ts'
import type { Chart } from './section.ts'

const WIDTH = 720
const LABEL_WIDTH = 230
const ROW_HEIGHT = 34
const HEADER_HEIGHT = 44

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Renders a chart that is legible on light and dark backgrounds. It has no scripts and embeds no fonts. */
export function toSvg({ title, column = 'perSecond', rounds }: Chart & { rounds: Rounds }): string {
  const bars = Object.keys(rounds).map((name) => ({ name, value: medianOf(rounds, name, column) || 0 }))
  const maximum = Math.max(...bars.map(({ value }) => value), 1e-9)
  const rows = bars.map(({ name, value }, index) => {
    const top = HEADER_HEIGHT + index * ROW_HEIGHT
    const width = Math.max(1, (value / maximum) * (WIDTH - LABEL_WIDTH - 90))
    const barClass = index === 0 || name.startsWith('Tiwala') ? 'highlighted' : 'other'
    return `<text x="${LABEL_WIDTH - 10}" y="${top + 17}" text-anchor="end">${escape(name)}</text>
<rect x="${LABEL_WIDTH}" y="${top + 2}" width="${width.toFixed(1)}" height="22" rx="3" class="${barClass}"/>
<text x="${(LABEL_WIDTH + width + 8).toFixed(1)}" y="${top + 17}">${format(value)}</text>`
  })
  const height = HEADER_HEIGHT + bars.length * ROW_HEIGHT + 8
  const attributes = `viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(title)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>
<style>
text { font: 14px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.highlighted { fill: #0969da }
.other { fill: #8c959f }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .highlighted { fill: #4493f8 } }
</style>
<text x="10" y="24" class="title">${escape(title)}</text>
<text x="${WIDTH - 10}" y="24" text-anchor="end">${COLUMNS[column]}</text>
${rows.join('\n')}
</svg>
`
}

const format = (value: number) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1))
