import type { Mutant } from './mutants.ts'
import { isOfCode } from './places.ts'
import { isByTime, type Results, type State, stateOf } from './results.ts'

/** The counts, and every mutant that needs a test or a reason. */
export function report(
  mutants: Mutant[],
  results: Results,
  untested: string[] = [],
): { text: string; isComplete: boolean } {
  const states = Map.groupBy(mutants, (mutant) => stateOf(mutant, results))
  const count = (state: State) => states.get(state)?.length ?? 0
  const timeouts = (states.get('killed') ?? []).filter(({ id }) => isByTime(results.get(id)!)).length
  const statements = new Set(
    mutants.map(({ bug, statement }) => ('code' in bug ? statement : bug.replacement.text)),
  ).size
  const list = (state: State) =>
    (states.get(state) ?? []).map(({ statement, name }) => `  ${statement}: ${name}`).toSorted()
  const lines = [
    ...(untested.length
      ? ['No test executes these statements:', ...untested.map((site) => `  ${site}`)]
      : []),
    ...(count('survived') ? ['Survived: write a test, or give a reason in src/equivalents.ts:'] : []),
    ...list('survived'),
    `${mutants.length} mutants of ${statements} ${isOfCode ? 'files' : 'statements'}: ` +
      `${count('killed')} killed (${timeouts} perhaps because of a time limit), ` +
      `${count('survived')} survived, ` +
      `${count('equivalent')} equivalent, ${count('invalid')} refused by PostgreSQL, ` +
      `${count('open')} not decided yet.`,
  ]
  return { text: lines.join('\n'), isComplete: count('survived') + count('open') + untested.length === 0 }
}
