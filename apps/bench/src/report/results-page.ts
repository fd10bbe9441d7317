import type { Machine } from './machine.ts'
import type { Figure, Ratio, Section } from './section.ts'
import { verdictOf } from './verdict.ts'

/** RESULTS.md: the ratios first. `notes` is what a person wrote in NOTES.md. */
export function toPage(machine: Machine, sections: Section[], notes: string): string {
  const ratios = sections.flatMap((section) => section.ratios)
  return `# Results

Written by \`npm run bench\`; \`NOTES.md\` is the part that people write. Every ratio is the median of the ratios of each round, in which the
contenders ran one after the other on one machine, each alone under load. Absolute numbers say little: the load generator, PostgreSQL and the
server share the cores.

${ratioTable(ratios)}

${notes.trim()}

## The machine

${Object.entries(machine)
  .map(([name, value]) => `- ${name}: ${value}`)
  .join('\n')}

${sections.map(sectionPage).join('\n\n')}
`
}

const ratioTable = (ratios: Ratio[]) =>
  table(
    ['Ratio', 'Measured', 'Bar', 'Aim', ''],
    ratios.map((ratio) => [ratio.name, ratio.value.toFixed(2), limit(ratio, ratio.bar), limit(ratio, ratio.aim), verdictOf(ratio)]),
  )

const limit = ({ isAtMost }: Ratio, value: number | undefined) => (value === undefined ? '' : `${isAtMost ? '≤' : '≥'} ${value}`)

function sectionPage({ title, how, figures, notes, pictures }: Section): string {
  const known = COLUMNS.filter(({ of }) => figures.some((figure) => of(figure) !== undefined))
  const rows = figures.map((figure) => [figure.name, ...known.map(({ of }) => shown(of(figure)))])
  const images = pictures.map((picture) => `![${picture.title}](results/${picture.file})`)
  const measured = rows.length ? [table(['Median of the rounds', ...known.map(({ name }) => name)], rows)] : []
  return [`## ${title}`, how, ...images, ...measured, ...notes].join('\n\n')
}

const COLUMNS: { name: string; of: (figure: Figure) => number | undefined }[] = [
  { name: 'per second', of: ({ perSecond }) => perSecond },
  { name: 'p50 ms', of: ({ p50Ms }) => p50Ms },
  { name: 'p99 ms', of: ({ p99Ms }) => p99Ms },
  { name: 'server CPU ms each', of: ({ cpuMs }) => cpuMs },
  { name: 'PostgreSQL CPU ms each', of: ({ postgresCpuMs }) => postgresCpuMs },
  { name: 'events left at the end', of: ({ backlog }) => backlog },
  { name: 'start ms', of: ({ startMs }) => startMs },
  { name: 'memory MB', of: ({ memoryMb }) => memoryMb },
]

const shown = (value: number | undefined) => {
  if (value === undefined) return ''
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map((_, column) => (column ? '---:' : '---')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
