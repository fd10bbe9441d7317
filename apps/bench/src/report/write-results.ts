import { readFile, writeFile } from 'node:fs/promises'
import type { Machine } from './machine.ts'
import { toSvg } from './bar-chart.ts'
import type { Section } from './section.ts'
import { toPage } from './results-page.ts'

const ROOT = new URL('../../', import.meta.url)

/** Puts the results of a whole run where they are kept. */
export async function writeResults(machine: Machine, sections: Section[]): Promise<void> {
  const notes = await readFile(new URL('NOTES.md', ROOT), 'utf8')
  await writeFile(new URL('RESULTS.md', ROOT), toPage(machine, sections, notes))
  for (const picture of sections.flatMap(({ pictures }) => pictures))
    await writeFile(new URL(`results/${picture.file}`, ROOT), toSvg(picture))
}
