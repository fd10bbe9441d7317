// What a live server leaves out of its documents and guides.
import citizenApp from '@tiwala/contract/citizen-app.json' with { type: 'json' }
import errors from '@tiwala/contract/errors.json' with { type: 'json' }
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import flatPartnerWithHeaders from '@tiwala/contract/partner-3.0-headers.json' with { type: 'json' }
import flatPartner from '@tiwala/contract/partner-3.0.json' with { type: 'json' }
import postmanCollection from '@tiwala/contract/partner-postman.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import workbench from '@tiwala/contract/workbench.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { toLiveDocument, withoutSandbox } from '../../src/contract/live-document.ts'

/** Where a text is not empty, and its counterpart in live is. */
function emptiedIn(value: unknown, live: unknown, path: string): string[] {
  if (typeof value === 'string') return value.trim() && !(live as string).trim() ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  const kept = Array.isArray(value) ? value.filter((each) => each !== 'sandbox') : value
  return Object.entries(kept).flatMap(([name, each]) =>
    emptiedIn(each, (live as Record<string, unknown>)[name], `${path}/${name}`),
  )
}

test.each(
  Object.entries({
    citizenApp,
    errors,
    operator,
    flatPartner,
    flatPartnerWithHeaders,
    postmanCollection,
    partner,
    workbench,
  }),
)('%s: in live no text mentions the sandbox, and none is empty for that', (name, document) => {
  const live = toLiveDocument(document)
  expect(JSON.stringify(live)).not.toMatch(/sandbox/i)
  expect(emptiedIn(document, live, name)).toEqual([])
})

test('a phrase about the sandbox goes wherever its line breaks', () => {
  const phrase = 'Must be `https` (in the sandbox also `http` on a loopback address), of a public host.'
  for (const { index } of phrase.matchAll(/ /g)) {
    const text = `${phrase.slice(0, index)}\n${phrase.slice(index + 1)}`
    const live = toLiveDocument({ text }).text.replaceAll(/\s+/g, ' ')
    expect([text, live]).toEqual([text, 'Must be `https`, of a public host.'])
  }
})

test('without the sandbox: its sections, rows, list items and sentences', () => {
  const text = `A sandbox has none. One. The sandbox has two.

Three. In a sandbox four.
Five.

- A sandbox needs six.
- Seven.
  A sandbox has eight. Nine.
- Ten.

1. Eleven.
2. Sandbox only. Twelve
   in two lines.
3. A sandbox has thirteen.
4. Fourteen.

| A | B | C |
| --- | --- | --- |
| \`X\` | | Fifteen. Sixteen in the sandbox. |
| \`TIWALA_SANDBOXES\` | 1 | Seventeen. |
| \`Y\` | \`sandbox\` | Eighteen. |
| \`Z\` | 2 | Nineteen. |

\`\`\`sh
run --twenty. --2
\`\`\`

## Run a sandbox

Twenty-one.

## Last

Twenty-two.
`
  // The white space at the end of a line means nothing here.
  expect(withoutSandbox(text).replaceAll(/ +(?=\n)| +(?= \|)/g, '')).toBe(`One.

Three. Five.

- Seven.
  Nine.
- Ten.

1. Eleven.
2. Twelve
   in two lines.
4. Fourteen.

| A | B | C |
| --- | --- | --- |
| \`X\` | | Fifteen. |
| \`Z\` | 2 | Nineteen. |

\`\`\`sh
run --twenty. --2
\`\`\`

## Last

Twenty-two.
`)
})
