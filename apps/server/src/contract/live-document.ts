// What a live server shows of a document or of the error catalogue: nothing of the sandbox, which it does not
// have.

/** Texts and example values, and what live has instead. */
const REPLACEMENTS: [RegExp, string][] = [
  [/ \(in the\s+sandbox also `http`\s+on a loopback address\)/g, ''],
  [/http:\/\/localhost:8080\/sandbox\/photos\//g, 'https://registry.example/photos/'],
  [/\b(tw[ts])_test_/g, '$1_live_'],
  [/\bSANDBOX\b/g, 'YOUR_PARTNER_CODE'],
  [/^sandbox$/, 'live'],
  [/ in the sandbox$/, ''],
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
  if (typeof value === 'string') return replaceText(value)
  if (Array.isArray(value)) return value.filter((each) => each !== 'sandbox').map(replaceIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceIn(each)]))
}

function replaceText(text: string): string {
  const paragraphs = REPLACEMENTS.reduce(
    (replaced, [pattern, replacement]) => replaced.replace(pattern, replacement),
    text,
  ).split('\n\n')
  return paragraphs.filter((paragraph) => !/sandbox/i.test(paragraph)).join('\n\n')
}
