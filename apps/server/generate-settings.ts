// Writes SETTINGS.md from the table in src/settings.ts. `npm run generate` runs it.
import { writeFile } from 'node:fs/promises'
import { SETTINGS } from './src/settings.ts'

type Setting = {
  desc?: string
  default?: { toString(): string } | undefined
  choices?: readonly unknown[]
}

const rows = Object.entries<Setting>(SETTINGS).map(([name, { desc = '', default: value, choices }]) => {
  const shown = value === undefined || value === '' ? '' : `\`${value.toString()}\``
  const among = choices ? ` One of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}.` : ''
  return `| \`${name}\` | ${shown} | ${desc}${among} |`
})

await writeFile(
  new URL('SETTINGS.md', import.meta.url),
  `<!-- Generated from src/settings.ts by \`npm run generate\`. Do not edit. -->

# Settings

The service reads these environment variables once, at its start. \
A wrong or missing value stops the start, and the
message names every problem. Required in \`live\`: ${Object.entries(SETTINGS)
    .filter(([, spec]) => 'requiredWhen' in spec)
    .map(([name]) => `\`${name}\``)
    .join(', ')}, and one of \`TIWALA_KEY_RING\` and \`TIWALA_KEY_RING_FILE\`.

| Setting | Default | Meaning |
| --- | --- | --- |
${rows.join('\n')}
`,
)
