import { type RunCommands, runCommandsOf } from '@tiwala/contract/run-commands'
import { site } from '../site.ts'
import { examplesOf, follow, type Parameter } from './documents.ts'
import { documentOf, type Operation } from './operations.ts'

export type Sample = {
  label: string
  lang: string
  source: string
  /** How to run a sample that is a program. */
  commands?: RunCommands | undefined
}

export const samplesOf = ({ id, spec }: Operation): Sample[] =>
  spec['x-codeSamples'].map(({ lang, label, source }) => ({
    label,
    lang: lang.toLowerCase(),
    source,
    commands: runCommandsOf(lang, id),
  }))

/** The name of the file that the samples send: the example of a body of lines. */
export function sentFileOf({ spec }: Operation): string | undefined {
  const lines = spec.requestBody?.content['application/x-ndjson']
  return lines && `${Object.keys(lines.examples!)[0]}.ndjson`
}

type Origin = { text: string; inSandbox?: string }

const GUIDE = '/docs/guides/first-profile'
const SHELL_FILE = `[\`sandbox.sh\`](${GUIDE}#prepare-a-shell-for-the-other-guides)`
const CREDENTIAL: Origin = {
  text: `from [your credentials](${GUIDE}#with-your-own-credentials)`,
  inSandbox: `set by ${SHELL_FILE}`,
}

/** Where the credentials come from, as Markdown. */
const ORIGINS: Readonly<Record<string, Origin>> = {
  TIWALA_SECRET_CODE: CREDENTIAL,
  TIWALA_SECRET_TOKEN: CREDENTIAL,
  TIWALA_PARTNER_CODE: CREDENTIAL,
  TIWALA_PARTNER_SECRET: CREDENTIAL,
  ACCESS_TOKEN: { text: 'the `access_token` that you get from `generateToken`' },
  CITIZEN_TOKEN: {
    text: "the citizen's token, from the citizens' identity provider",
    inSandbox: CREDENTIAL.inSandbox!,
  },
  TIWALA_SESSION: { text: 'the cookie that the browser gets at `/workbench/sign-in`' },
  IDEMPOTENCY_KEY: { text: 'a new one for each change, for example `$(uuidgen)`' },
  ETAG: { text: 'the `ETag` of what you read before, with its quotes' },
  CSRF_TOKEN: { text: 'the `csrf_token` of your session' },
  TIWALA_OPERATOR_TOKEN: {
    text: "your token, from the administrators' identity provider",
    inSandbox:
      `with ${SHELL_FILE}: \`export TIWALA_OPERATOR_TOKEN=$(pick operator_token < bootstrap.json)\`; on the ` +
      'internet, from [a sandbox of your own](/docs/guides/testing#have-a-sandbox-of-your-own)',
  },
}

/** The environment variables that samples read, by their origin. The guides stand in a site with the partner document. */
export function variablesOf(samples: Sample[], { environment, documents } = site) {
  const isWithGuides = environment === 'sandbox' && documents.includes('partner')
  const found = Object.entries(ORIGINS)
    .filter(([name]) => samples.some(({ source }) => new RegExp(`\\b${name}\\b`).test(source)))
    .map(([name, { text, inSandbox }]) => ({
      name,
      origin: (isWithGuides && inSandbox) || text,
    }))
  return [...Map.groupBy(found, ({ origin }) => origin)].map(([origin, variables]) => ({
    names: variables.map(({ name }) => name),
    origin,
  }))
}

/** The values of the example that the samples hold, by name, to replace them by fresh ones. */
export function exampleValuesOf(operation: Operation): Record<string, string> {
  const { parameters = [], requestBody } = operation.spec
  const document = documentOf(operation)
  const [media] = Object.values(requestBody?.content ?? {})
  const values: [string, unknown][] = [
    ...parameters
      .map((each) => follow<Parameter>(each as Parameter, document))
      .filter((each) => each.in !== 'header')
      .map(({ name, example }): [string, unknown] => [name, example]),
    ...(media ? Object.entries(examplesOf(media, document)[0]?.value ?? {}) : []),
  ]
  return Object.fromEntries(values.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
