// Writes SETTINGS.md from the table in src/settings.ts. `npm run generate` runs it.
import { writeFile } from 'node:fs/promises'
import { SETTINGS } from './src/settings.ts'

type Setting = {
  desc?: string
  default?: { toString(): string } | undefined
  choices?: readonly unknown[]
}

/** The groups of the table, by the name of their first setting. */
const GROUPS: Partial<Record<keyof typeof SETTINGS, string>> = {
  TIWALA_ENVIRONMENT: 'Environment and addresses',
  DATABASE_URL: 'Database and files',
  TIWALA_KEY_RING: 'Keys',
  LOG_LEVEL: 'Log and traces',
  TIWALA_CITIZEN_ISSUER: 'Citizens and their identity provider',
  TIWALA_OPERATOR_ISSUER: 'Administrators',
  TIWALA_STAFF_ISSUER: 'People of partners',
  TIWALA_QR_TTL_SECONDS: 'Lifetimes',
  TIWALA_PENDING_PER_CITIZEN: 'Limits',
  TIWALA_SANDBOX_HOURS: 'Sandbox',
}
const headOf = (group: string | undefined) =>
  group ? `\n## ${group}\n\n| Setting | Default | Meaning |\n| --- | --- | --- |\n` : ''

const rows = Object.entries<Setting>(SETTINGS).map(([name, spec]) => {
  const { desc = '', default: value, choices } = spec
  const text = value?.toString() ?? ''
  const shown = text && `\`${text}\``
  const among = choices ? ` One of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}.` : ''
  const need = 'requiredWhen' in spec ? ' Required in `live`.' : ''
  return `${headOf(GROUPS[name as keyof typeof SETTINGS])}| \`${name}\` | ${shown} | ${desc}${among}${need} |`
})

const required = Object.entries(SETTINGS)
  .filter(([, spec]) => 'requiredWhen' in spec)
  .map(([name]) => `\`${name}\``)
// Required by `config.ts`, since they depend on another setting.
required.push(
  '`TIWALA_TRUSTED_PROXIES`, not with `TIWALA_DOCUMENTS=operator`',
  'one of `TIWALA_KEY_RING` and `TIWALA_KEY_RING_FILE`',
)

await writeFile(
  new URL('SETTINGS.md', import.meta.url),
  `<!-- Generated from src/settings.ts by \`npm run generate\`. Do not edit. -->

# Settings

The service reads these environment variables once, at its start. \
A wrong or missing value stops the start, and the
message names every problem. Required in \`live\`:

${required.map((each) => `- ${each}`).join('\n')}
${rows.join('\n')}
`,
)
