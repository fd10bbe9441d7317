import { readFile, writeFile } from 'node:fs/promises'
import { type Column, COLUMNS, medianOf, type Rounds } from '../rounds.ts'
import { toSvg } from './bar-chart.ts'
import { type Ratio, type Section, verdictOf } from './section.ts'

/** `sections`: by the name of the benchmark. */
export type Results = { machine: Record<string, string>; sections: Record<string, Section> }

const ROOT = new URL('../../', import.meta.url)
const COLUMN_KEYS = Object.keys(COLUMNS) as Column[]

const ratiosOf = ({ sections }: Results) => Object.values(sections).flatMap(({ ratios }) => ratios)

/** One JSON object: the ratios by name, their verdicts, and the figures from which they were calculated. */
export function toJson({ machine, sections }: Results): string {
  const entries = Object.entries(sections)
  const ratios = entries.flatMap(([, section]) => section.ratios)
  return JSON.stringify({
    ratios: Object.fromEntries(ratios.map(({ name, value }) => [name, Number(value.toFixed(3))])),
    verdicts: Object.fromEntries(ratios.map((ratio) => [ratio.name, verdictOf(ratio)])),
    figures: Object.fromEntries(entries.map(([name, { rounds }]) => [name, figuresOf(rounds)])),
    machine,
  })
}

/** The medians of each task. What was not measured is absent. */
const figuresOf = (rounds: Rounds) =>
  Object.keys(rounds).map((name): { name: string } & Partial<Record<Column, number>> => ({
    name,
    ...Object.fromEntries(
      COLUMN_KEYS.map((column) => [column, medianOf(rounds, name, column)] as const).filter(
        ([, value]) => !Number.isNaN(value),
      ),
    ),
  }))

/** The table of the ratios. */
export const toText = (results: Results): string => ratioTable(ratiosOf(results))

/** Writes RESULTS.md and its charts. */
export async function writeResults(results: Results): Promise<void> {
  const notes = await readFile(new URL('NOTES.md', ROOT), 'utf8')
  await writeFile(new URL('RESULTS.md', ROOT), toPage(results, notes))
  for (const { charts = [], rounds } of Object.values(results.sections))
    for (const chart of charts)
      await writeFile(new URL(`results/${chart.file}`, ROOT), toSvg({ rounds, ...chart }))
}

/** The ratios, the notes of NOTES.md without their title, the machine, and a section for each benchmark. */
const toPage = (results: Results, notes: string) => `# Results

\`npm run bench\` writes this file. Only the notes are written by hand, in \`NOTES.md\`.

Each ratio is the median of the ratios of all rounds. In each round the contenders run one after the other on
one machine, and each is alone under load. Compare the ratios, not the absolute numbers: the load generator,
PostgreSQL and the server share the cores.

${ratioTable(ratiosOf(results))}

${notes.replace(/^# .*/, '').trim()}

## The machine

${Object.entries(results.machine)
  .map(([name, value]) => `- ${name}: ${value}`)
  .join('\n')}

${Object.values(results.sections).map(sectionPage).join('\n\n')}
`

function ratioTable(ratios: Ratio[]): string {
  const limit = ({ isAtMost }: Ratio, value: number | undefined) =>
    value === undefined ? '' : `${isAtMost ? '≤' : '≥'} ${value}`
  const rows = ratios.map((ratio) => [
    ratio.name,
    ratio.value.toFixed(2),
    limit(ratio, ratio.threshold),
    limit(ratio, ratio.target),
    verdictOf(ratio),
  ])
  return table(['Ratio', 'Measured', 'Threshold', 'Target', 'Verdict'], rows)
}

function sectionPage({ title, method, rounds, notes = [], charts = [] }: Section): string {
  const figures = figuresOf(rounds)
  const columns = COLUMN_KEYS.filter((column) => figures.some((figure) => figure[column] !== undefined))
  const rows = figures.map((figure) => [figure.name, ...columns.map((column) => format(figure[column]))])
  const header = ['Median of the rounds', ...columns.map((column) => COLUMNS[column])]
  const images = charts.map((chart) => `![${chart.title}](results/${chart.file})`)
  const tables = rows.length ? [table(header, rows)] : []
  return [`## ${title}`, method, ...images, ...tables, ...notes].join('\n\n')
}

const format = (value: number | undefined) => {
  if (value === undefined) return ''
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}

const table = (header: string[], rows: string[][]) =>
  [header, header.map((_, column) => (column ? '---:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
