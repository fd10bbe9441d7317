import type { Machine } from './machine.ts'
import type { Figure, Ratio, Section } from './section.ts'
import { verdictOf } from './verdict.ts'

/**
 * Renders RESULTS.md: the ratios, the notes of NOTES.md without their title, the machine, and a section for
 * each benchmark.
 */
export function toPage(machine: Machine, sections: Section[], notes: string): string {
  const ratios = sections.flatMap((section) => section.ratios)
  return `# Results

\`npm run bench\` writes this file. Only the notes are written by hand, in \`NOTES.md\`.

Each ratio is the median of the ratios of all rounds. In each round the contenders run one after the other on
one machine, and each is alone under load. Compare the ratios, not the absolute numbers: the load generator,
PostgreSQL and the server share the cores.

${ratioTable(ratios)}

${notes.replace(/^# .*/, '').trim()}

## The machine

${Object.entries(machine)
  .map(([name, value]) => `- ${name}: ${value}`)
  .join('\n')}

${sections.map(sectionPage).join('\n\n')}
`
}

const ratioTable = (ratios: Ratio[]) =>
  table(
    ['Ratio', 'Measured', 'Threshold', 'Target', 'Verdict'],
    ratios.map((ratio) => [
      ratio.name,
      ratio.value.toFixed(2),
      formatLimit(ratio, ratio.threshold),
      formatLimit(ratio, ratio.target),
      verdictOf(ratio),
    ]),
  )

const formatLimit = ({ isAtMost }: Ratio, value: number | undefined) =>
  value === undefined ? '' : `${isAtMost ? '≤' : '≥'} ${value}`

function sectionPage({ title, method, figures, notes, charts }: Section): string {
  const columns = COLUMNS.filter(({ valueOf }) => figures.some((figure) => valueOf(figure) !== undefined))
  const header = ['Median of the rounds', ...columns.map(({ name }) => name)]
  const rows = figures.map((figure) => [
    figure.name,
    ...columns.map(({ valueOf }) => formatValue(valueOf(figure))),
  ])
  const images = charts.map((chart) => `![${chart.title}](results/${chart.file})`)
  return [`## ${title}`, method, ...images, ...(rows.length ? [table(header, rows)] : []), ...notes].join(
    '\n\n',
  )
}

const COLUMNS: { name: string; valueOf: (figure: Figure) => number | undefined }[] = [
  { name: 'per second', valueOf: ({ perSecond }) => perSecond },
  { name: 'p50 ms', valueOf: ({ p50Ms }) => p50Ms },
  { name: 'p99 ms', valueOf: ({ p99Ms }) => p99Ms },
  { name: 'server CPU ms each', valueOf: ({ cpuMs }) => cpuMs },
  { name: 'PostgreSQL CPU ms each', valueOf: ({ postgresCpuMs }) => postgresCpuMs },
  { name: 'undelivered events', valueOf: ({ backlog }) => backlog },
  { name: 'start ms', valueOf: ({ startMs }) => startMs },
  { name: 'memory MB', valueOf: ({ memoryMb }) => memoryMb },
]

const formatValue = (value: number | undefined) => {
  if (value === undefined) return ''
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}

const table = (header: string[], rows: string[][]) =>
  [header, header.map((_, column) => (column ? '---:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
