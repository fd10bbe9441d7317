import { readFile, writeFile } from 'node:fs/promises'
import { type Column, COLUMNS, medianOf, type Rounds } from '../rounds.ts'
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

/** Writes RESULTS.md from its template. */
export async function writeResults(results: Results): Promise<void> {
  const { machine, sections } = results
  const template = await readFile(new URL('RESULTS.template.md', ROOT), 'utf8')
  const parts: Record<string, string> = {
    ratios: toText(results),
    machine: Object.entries(machine)
      .map(([name, value]) => `- ${name}: ${value}`)
      .join('\n'),
    ...Object.fromEntries(Object.entries(sections).map(([name, section]) => [name, toMarkdown(section)])),
  }
  const page = template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name]!)
  await writeFile(new URL('RESULTS.md', ROOT), page)
}

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

/** The table and the notes of a section. */
function toMarkdown({ rounds, notes = [] }: Section): string {
  const figures = figuresOf(rounds)
  const columns = COLUMN_KEYS.filter((column) => figures.some((figure) => figure[column] !== undefined))
  const rows = figures.map((figure) => [figure.name, ...columns.map((column) => format(figure[column]))])
  const header = ['Median of the rounds', ...columns.map((column) => COLUMNS[column])]
  const tables = rows.length ? [table(header, rows)] : []
  return [...tables, ...notes].join('\n\n')
}

const format = (value: number | undefined) => {
  if (value === undefined) return ''
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}

const table = (header: string[], rows: string[][]) =>
  [header, header.map((_, column) => (column ? '---:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
