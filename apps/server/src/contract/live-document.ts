// What a live server shows of a document, of the error catalogue or of a guide: nothing of the sandbox, which it
// does not have.

/** Texts and example values, and what live has instead. */
const REPLACEMENTS: [RegExp, string][] = [
  [/\s+\(in\s+the\s+sandbox\s+also\s+`http`\s+on\s+a\s+loopback\s+address\)/g, ''],
  [/http:\/\/localhost:8080\/sandbox\/photos\//g, 'https://registry.example/photos/'],
  [/\b(tw[ts])_test_/g, '$1_live_'],
  [/\bSANDBOX\b/g, 'YOUR_PARTNER_CODE'],
  [/^sandbox$/, 'live'],
  [/A partner in the sandbox/g, 'A partner'],
  [/`sandbox` with synthetic citizens, or `live`/g, '`live`'],
]

const liveDocuments = new Map<object, object>()

/** The same document or catalogue without the sandbox. */
export function toLiveDocument<Value extends object>(document: Value): Value {
  const live = liveDocuments.get(document) ?? (replaceIn(document) as Value)
  liveDocuments.set(document, live)
  return live as Value
}

function replaceIn(value: unknown): unknown {
  if (typeof value === 'string')
    return withoutSandbox(
      REPLACEMENTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), value),
    )
  if (Array.isArray(value)) return value.filter((each) => each !== 'sandbox').map(replaceIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceIn(each)]))
}

const MENTION = /sandbox/i
const CODE = /(```[^]*?^```$)/m
/** Before each paragraph, list item and row of a table. */
const BLOCK = /(?=\n\n|\n *(?:-|\d+\.|\|) )/
const START_OF_BLOCK = /^\s*(?:(?:-|\d+\.|\|) )?/
/** After the white space behind a sentence. */
const SENTENCE = /(?<=\.\s+)(?=\S)/

/** Markdown without the sections, the rows of tables, the list items and the sentences that mention the sandbox. */
export function withoutSandbox(markdown: string): string {
  if (!MENTION.test(markdown)) return markdown
  return markdown
    .split(/^(?=## )/m)
    .filter((section) => !/^## .*sandbox/i.test(section))
    .join('')
    .split(CODE)
    .flatMap((part) => (part.startsWith('```') ? part : part.split(BLOCK).map(withoutMentions)))
    .join('')
}

/** A block of which a cell or the whole text would be empty goes with the line break before it. */
function withoutMentions(block: string): string {
  const [start = ''] = START_OF_BLOCK.exec(block) ?? []
  const text = block.slice(start.length)
  const cells = start.endsWith('| ') ? text.split(' |') : [text]
  const kept = cells.map((cell) =>
    cell
      .split(SENTENCE)
      .filter((sentence) => !MENTION.test(sentence))
      .join(''),
  )
  return kept.some((cell, index) => !cell && cells[index]) ? '' : start + kept.join(' |')
}
