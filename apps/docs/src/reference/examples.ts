import type { ErrorEntry } from './error-codes.ts'
import type { Success } from './operations.ts'

/** A response that an operation can give: a success, or the refusals, of which each has a code. */
export type Outcome = { label: string; status: string; value: unknown }

/** What a code block shows of an example. */
export const exampleText = (value: unknown) =>
  typeof value === 'string'
    ? { code: value.trim(), lang: 'txt' as const }
    : { code: JSON.stringify(value, null, 2), lang: 'json' as const }

/** The outcomes by the names of their examples: `signedIn` is `Signed in`. */
export const outcomesOf = (successes: Success[]): Outcome[] =>
  successes.flatMap(({ status, bodies }) => {
    const examples = bodies.flatMap((body) => body.examples)
    if (!examples.length) return [{ label: status, status, value: undefined }]
    return examples.map(({ name, value }) => ({ label: toWords(name) || status, status, value }))
  })

const toWords = (name: string) =>
  name
    .replaceAll(/(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())

/** The example of a refusal, without what is the same in each. */
export const refusalText = ({ example }: ErrorEntry) => JSON.stringify(example, null, 2)
