import type { Picture } from './section.ts'

const WIDTH = 720
const LABEL = 230
const ROW = 34
const HEADER = 44

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Bars as SVG, legible on light and on dark ground; no script, no font of its own. */
export function toSvg({ title, unit, bars }: Picture): string {
  const most = Math.max(...bars.map(({ value }) => value), 1e-9)
  const rows = bars.map(({ name, value }, index) => {
    const top = HEADER + index * ROW
    const width = Math.max(1, (value / most) * (WIDTH - LABEL - 90))
    const isOurs = index === 0 || name.startsWith('Tiwala')
    return `<text x="${LABEL - 10}" y="${top + 17}" text-anchor="end">${escape(name)}</text>
<rect x="${LABEL}" y="${top + 2}" width="${width.toFixed(1)}" height="22" rx="3" class="${isOurs ? 'ours' : 'other'}"/>
<text x="${(LABEL + width + 8).toFixed(1)}" y="${top + 17}">${toShort(value)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEADER + bars.length * ROW + 8}" role="img" aria-label="${escape(title)}">
<style>
text { font: 14px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.ours { fill: #0969da }
.other { fill: #8c959f }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ours { fill: #4493f8 } }
</style>
<text x="10" y="24" class="title">${escape(title)}</text>
<text x="${WIDTH - 10}" y="24" text-anchor="end">${escape(unit)}</text>
${rows.join('\n')}
</svg>
`
}

const toShort = (value: number) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1))
