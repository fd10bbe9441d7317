import type { Schemas } from '@tiwala/client'

const MARKS = { passed: '✓', failed: '✗', not_reached: '–' } as const
const WORDS = { passed: 'passed', failed: 'failed', not_reached: 'not reached' } as const

/** The checks of a refused request. */
export function Checks({ diagnosis }: { diagnosis: Schemas['Diagnosis'] }) {
  return (
    <ol class="checks" aria-label="Checks of the request">
      {diagnosis.checks.map(({ check, outcome, detail }) => (
        <li key={check} class={outcome}>
          <span aria-hidden="true">{MARKS[outcome]}</span> <code>{check}</code> {WORDS[outcome]}
          {detail && `: ${detail}`}
        </li>
      ))}
    </ol>
  )
}
