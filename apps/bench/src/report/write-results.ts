import { readFile, writeFile } from 'node:fs/promises'
import { toSvg } from './bar-chart.ts'
import type { Machine } from './machine.ts'
import { toPage } from './results-page.ts'
import type { Section } from './section.ts'

const ROOT = new URL('../../', import.meta.url)

/** Writes RESULTS.md and its charts. */
export async function writeResults(machine: Machine, sections: Section[]): Promise<void> {
  const notes = await readFile(new URL('NOTES.md', ROOT), 'utf8')
  await writeFile(new URL('RESULTS.md', ROOT), toPage(machine, sections, notes))
  for (const chart of sections.flatMap(({ charts }) => charts))
    await writeFile(new URL(`results/${chart.file}`, ROOT), toSvg(chart))
}
