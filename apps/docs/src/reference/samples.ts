import { type Document, examplesOf, follow, type Parameter } from './documents.ts'
import { documentOf, type Operation } from './operations.ts'

export type Sample = { label: string; lang: string; source: string }

/** The samples of the document, or curl if it has none. */
export function samplesOf(operation: Operation): Sample[] {
  const samples = operation.spec['x-codeSamples'] ?? []
  if (!samples.length) return [{ label: 'curl', lang: 'sh', source: curl(operation) }]
  return samples.map(({ lang, label = lang, source }) => ({ label, lang: lang.toLowerCase(), source }))
}

const SCHEMES: Record<string, string> = {
  secretCode: 'X-Secret-Code: $SECRET_CODE',
  secretToken: 'X-Secret-Token: $SECRET_TOKEN',
  accessToken: 'Authorization: Bearer $ACCESS_TOKEN',
  citizenToken: 'Authorization: Bearer $CITIZEN_TOKEN',
  operatorToken: 'Authorization: Bearer $OPERATOR_TOKEN',
}

/** Options of curl, each in a line of its own. Values in double quotes hold variables of the shell. */
function curl(operation: Operation): string {
  const { method, spec } = operation
  const document = documentOf(operation)
  const parameters = (spec.parameters ?? []).map((each) => follow<Parameter>(each as Parameter, document))
  const schemes = (spec.security ?? document.security ?? []).flatMap(Object.keys)
  const headers = [
    ...schemes.map((scheme) => SCHEMES[scheme]!),
    ...parameters
      .filter((each) => each.in === 'header' && each.example !== undefined)
      .map(({ name, example }) => `${name}: ${String(example)}`),
  ]
  const body = bodyOf(operation, document)
  const isImplied = method === 'GET' || (method === 'POST' && body.length > 0)
  return [
    `curl ${isImplied ? '' : `-X ${method} `}"${addressOf(operation, parameters)}"`,
    ...headers.map((header) => `-H "${header}"`),
    ...body,
  ].join(' \\\n  ')
}

function addressOf({ server, path }: Operation, parameters: Parameter[]): string {
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((each) => each.name === name)?.example ?? name),
  )
  return `${server}${filled}${query.length ? `?${query.join('&')}` : ''}`
}

function bodyOf({ spec }: Operation, document: Document): string[] {
  const [[type, media] = []] = Object.entries(spec.requestBody?.content ?? {})
  if (!type || !media) return []
  const example = examplesOf(media, document)[0]?.value
  if (type === 'multipart/form-data')
    return Object.entries(example as object).map(([name, value]) => `-F "${name}=${String(value)}"`)
  if (type !== 'application/json') return [`-H "Content-Type: ${type}"`, '--data-binary @file']
  return ['-H "Content-Type: application/json"', `-d '${JSON.stringify(example).replaceAll("'", `'\\''`)}'`]
}
