import type { Machine } from './machine.ts'
import type { Section } from './section.ts'
import { verdictOf } from './verdict.ts'

/** One JSON object: the ratios by name, their verdicts, and the figures from which they were calculated. */
export const toJson = (machine: Machine, sections: Section[]): string => {
  const ratios = sections.flatMap((section) => section.ratios)
  return JSON.stringify(
    {
      ratios: Object.fromEntries(ratios.map(({ name, value }) => [name, Number(value.toFixed(3))])),
      verdicts: Object.fromEntries(ratios.map((ratio) => [ratio.name, verdictOf(ratio)])),
      figures: Object.fromEntries(sections.map(({ benchmark, figures }) => [benchmark, figures])),
      machine,
    },
    null,
    2,
  )
}

/** One line of text for each ratio. */
export const toText = (sections: Section[]): string =>
  sections
    .flatMap(({ ratios }) => ratios)
    .map((ratio) => `${ratio.value.toFixed(2).padStart(6)}  ${ratio.name.padEnd(56)} ${verdictOf(ratio)}`)
    .join('\n')
