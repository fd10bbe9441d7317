// SETTINGS.md from the table in src/config.ts. Run by `npm run generate`.
import { writeFile } from 'node:fs/promises'
import { SETTINGS } from './src/settings.ts'

type Setting = { desc?: string; default?: string | number | string[] | undefined; choices?: readonly unknown[] }

const rows = Object.entries<Setting>(SETTINGS).map(([name, { desc = '', default: value, choices }]) => {
  const shown = value === undefined || value === '' ? '' : `\`${value.toString()}\``
  const among = choices ? ` One of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}.` : ''
  return `| \`${name}\` | ${shown} | ${desc}${among} |`
})

await writeFile(
  new URL('SETTINGS.md', import.meta.url),
  `<!-- Generated from src/config.ts by \`npm run generate\`. Do not edit. -->

# Settings

Environment variables, read once at the start. A wrong or missing one stops the start with every problem named.
In \`live\` these are required: ${Object.entries(SETTINGS)
    .filter(([, spec]) => 'requiredWhen' in spec)
    .map(([name]) => `\`${name}\``)
    .join(', ')}, and one of \`TIWALA_KEY_RING\` and \`TIWALA_KEY_RING_FILE\`.

| Setting | Default | Meaning |
| --- | --- | --- |
${rows.join('\n')}
`,
)
