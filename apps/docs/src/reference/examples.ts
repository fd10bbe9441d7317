import type { ErrorEntry } from './error-codes.ts'
import type { Success } from './operations.ts'

/** A response that an operation can give: a success, or the refusals, of which each has a code. */
export type Outcome = { label: string; status: string; value: unknown }

/** What a code block shows of an example. */
export const exampleText = (value: unknown) =>
  typeof value === 'string'
    ? { code: value.trim(), lang: 'txt' as const }
    : { code: JSON.stringify(value, null, 2), lang: 'json' as const }

/** The same of a body that is sent as this content type. */
export function sentText(type: string, value: unknown) {
  if (type === 'application/x-www-form-urlencoded')
    return exampleText(String(new URLSearchParams(value as Record<string, string>)))
  if (type !== 'multipart/form-data') return exampleText(value)
  const parts = Object.entries(value as Record<string, string>).map(
    ([name, text]) => `--boundary\nContent-Disposition: form-data; name="${name}"\n\n${text}\n`,
  )
  return exampleText(`${parts.join('')}--boundary--`)
}

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
