import { type RunCommands, runCommandsOf } from '@tiwala/contract/run-commands'
import { type Document, examplesOf, follow, type Media, type Parameter } from './documents.ts'
import { documentOf, type Operation } from './operations.ts'

export type Sample = {
  label: string
  lang: string
  source: string
  /** How to run a sample that is a program. */
  commands?: RunCommands | undefined
  /** The name of the file that the sample sends: the example of the body. */
  sentFile?: string | undefined
}

/** The samples of the document, or curl if it has none. */
export function samplesOf(operation: Operation): Sample[] {
  const samples = operation.spec['x-codeSamples'] ?? []
  if (!samples.length) return [curlSample(operation)]
  return samples.map(({ lang, label = lang, source }) => ({
    label,
    lang: lang.toLowerCase(),
    source,
    commands: runCommandsOf(lang, operation.id),
  }))
}

const SCHEMES: Record<string, string> = {
  secretCode: 'X-Secret-Code: $TIWALA_SECRET_CODE',
  secretToken: 'X-Secret-Token: $TIWALA_SECRET_TOKEN',
  accessToken: 'Authorization: Bearer $ACCESS_TOKEN',
  citizenToken: 'Authorization: Bearer $CITIZEN_TOKEN',
  operatorToken: 'Authorization: Bearer $TIWALA_OPERATOR_TOKEN',
}

/** Options of curl, each in a line of its own. Values in double quotes hold variables of the shell. */
function curlSample(operation: Operation): Sample {
  const { method, spec } = operation
  const document = documentOf(operation)
  const parameters = (spec.parameters ?? []).map((each) => follow<Parameter>(each as Parameter, document))
  const schemes = (spec.security ?? document.security ?? []).flatMap(Object.keys)
  const headers = [
    ...schemes.map((scheme) => SCHEMES[scheme]!),
    ...parameters
      .filter((each) => each.in === 'header' && each.required)
      .map(({ name, example }) => `${name}: ${String(example)}`),
  ]
  const sentFile = sentFileOf(operation)
  const body = bodyOf(operation, document, sentFile)
  const isImplied = method === 'GET' || (method === 'POST' && body.length > 0)
  const options = `${isStream(operation) ? '-N ' : ''}${isImplied ? '' : `-X ${method} `}`
  const source = [
    `curl ${options}"${addressOf(operation, parameters)}"`,
    ...headers.map((header) => `-H "${header}"`),
    ...body,
  ].join(' \\\n  ')
  return { label: 'curl', lang: 'sh', source, sentFile }
}

/** The response is read while it arrives. */
const isStream = ({ spec }: Operation) => 'text/event-stream' in (spec.responses['200']?.content ?? {})

function addressOf({ server, path }: Operation, parameters: Parameter[]): string {
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((each) => each.name === name)?.example ?? name),
  )
  return `${server}${filled}${query.length ? `?${query.join('&')}` : ''}`
}

const mediaOf = ({ spec }: Operation): [type?: string, media?: Media] =>
  Object.entries(spec.requestBody?.content ?? {})[0] ?? []

/** A body of lines is a file, named after its example. */
function sentFileOf(operation: Operation): string | undefined {
  const [type, media] = mediaOf(operation)
  return type === 'application/x-ndjson' ? `${Object.keys(media!.examples!)[0]}.ndjson` : undefined
}

function bodyOf(operation: Operation, document: Document, sentFile: string | undefined): string[] {
  const [type, media] = mediaOf(operation)
  if (!type || !media) return []
  if (sentFile) return [`-H "Content-Type: ${type}"`, `--data-binary @${sentFile}`]
  const example = examplesOf(media, document)[0]?.value
  if (type === 'multipart/form-data')
    return Object.entries(example as object).map(([name, value]) => `-F "${name}=${String(value)}"`)
  if (type !== 'application/json') throw new Error(`${operation.id}: no sample of a body of type ${type}`)
  return ['-H "Content-Type: application/json"', `-d '${JSON.stringify(example).replaceAll("'", `'\\''`)}'`]
}
