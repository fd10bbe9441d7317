const KINDS = ['status', 'error', 'type', 'header', 'webhook', 'event'] as const
type Kind = (typeof KINDS)[number]

const WHAT_TO_DO: Record<Kind, string> = {
  status: 'Write a test that gets this status, or delete the response from the document.',
  error: 'Write a test that gets this error code, or delete the code from the response.',
  type: 'Write a test that gets this media type, or delete the media type from the response.',
  header: 'Write a test that gets this header, or delete the header from the response.',
  webhook: 'Write a test in which a receiver gets this event, or delete the webhook from the document.',
  event: 'Write a test in which a stream sends this event, or delete the type from the schema.',
}

/** What a person has to do about a fact that the traffic has not shown. */
export const whatToDo = (fact: string): string => WHAT_TO_DO[kindOf(fact)]

/** `inquire 200` is a status, `inquire 429 error slow_down` an error, `webhook profile.viewed` a webhook. */
function kindOf(fact: string): Kind {
  const [subject, , kind = 'status'] = fact.split(' ')
  return (subject === 'webhook' || subject === 'event' ? subject : kind) as Kind
}

/** A page about what the documents promise and what the traffic of the tests has shown. */
export function coveragePage(promised: readonly string[], seen: ReadonlySet<string>): string {
  const missing = promised.filter((fact) => !seen.has(fact))
  const count = (facts: readonly string[], kind: Kind) => {
    const ofKind = facts.filter((fact) => kindOf(fact) === kind)
    return ofKind.length === 0 ? '' : `${ofKind.filter((fact) => seen.has(fact)).length}/${ofKind.length}`
  }
  const row = (cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}`).join('')}`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Contract coverage</title>
<style>body { font-family: sans-serif } td { padding-right: 1em }</style>
<h1>Contract coverage</h1>
<p>What the documents promise, and what the checked traffic of the contract tests has shown:
${promised.length - missing.length} of ${promised.length}.
<ul>
${missing.map((fact) => `<li><code>${fact}</code>: ${whatToDo(fact)}`).join('\n')}
</ul>
<table>
${row(['Subject', ...KINDS])}
${[...Map.groupBy(promised, (fact) => fact.split(' ')[0]!)]
  .map(([subject, facts]) => row([subject, ...KINDS.map((kind) => count(facts, kind))]))
  .join('\n')}
</table>
`
}
