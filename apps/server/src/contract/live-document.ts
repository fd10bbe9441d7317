// What a live server serves of a document: nothing of the sandbox, which it does not have. The quick start
// uses the settings that the administrator gave to the partner.
import type { Document } from './documents.ts'

const QUICK_START = `# A first profile

You need Node 20 or later, and the settings that the administrator gave you: save them as \`partner.env\`.
In an empty folder, run:

\`\`\`sh
npm install http://localhost:8080/downloads/tiwala-client.tgz
\`\`\`

Save this as \`first-profile.mjs\`:

\`\`\`js
import { env } from 'node:process'
import { createPartnerClient } from '@tiwala/client'

const tiwala = createPartnerClient({
  baseUrl: env.TIWALA_BASE_URL,
  secretCode: env.TIWALA_SECRET_CODE,
  secretToken: env.TIWALA_SECRET_TOKEN,
})
// The QR value that your scanner reads from the citizen's phone. It lives 60 seconds.
const { record } = await tiwala.requestAuthorization(process.argv[2])
console.log('Waiting for the citizen')
const outcome = await tiwala.waitForAcceptance(record.tracking_no)
console.log(outcome.state)
\`\`\`

Then run it with the QR value:

\`\`\`sh
node --env-file=partner.env first-profile.mjs "$QR_VALUE"
\`\`\`

`
const QUICK_START_OF_SANDBOX = /^# A first profile in under two minutes\n.*?(?=^# Errors)/ms

/** Texts and example values, and what live has instead. */
const REPLACEMENTS: [RegExp, string][] = [
  [/ \(in the\s+sandbox also `http`\s+on a loopback address\)/g, ''],
  [/http:\/\/localhost:8080\/sandbox\/photos\//g, 'https://registry.example/photos/'],
  [/\b(tw[ts])_test_/g, '$1_live_'],
  [/^SANDBOX$/, 'HOTEL_MABUHAY'],
  [/^sandbox$/, 'live'],
  [/ in the sandbox$/, ''],
  [/`sandbox` with synthetic citizens, or `live`/g, '`live`'],
]

const liveDocuments = new Map<object, object>()

export function toLiveDocument(document: Document): Document {
  const live = liveDocuments.get(document) ?? replaceIn(document)
  liveDocuments.set(document, live as object)
  return live as Document
}

function replaceIn(value: unknown): unknown {
  if (typeof value === 'string') return replaceText(value)
  if (Array.isArray(value)) return value.filter((each) => each !== 'sandbox').map(replaceIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceIn(each)]))
}

function replaceText(text: string): string {
  const replaced = REPLACEMENTS.reduce(
    (changed, [pattern, replacement]) => changed.replace(pattern, replacement),
    text.replace(QUICK_START_OF_SANDBOX, () => QUICK_START),
  )
  const paragraphs = replaced.split('\n\n')
  return paragraphs.filter((paragraph) => !/sandbox/i.test(paragraph)).join('\n\n')
}
