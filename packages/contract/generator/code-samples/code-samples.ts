// Adds to each operation the same request in several languages, as `x-codeSamples`. The samples read their
// values from environment variables, so that they run as they are.
import type { Json } from '../flat-schemas.ts'
import { clientSample } from './client-sample.ts'
import { csharpSample } from './csharp-sample.ts'
import { curlSample } from './curl-sample.ts'
import { goSample } from './go-sample.ts'
import { javaSample } from './java-sample.ts'
import { phpSample } from './php-sample.ts'
import { pythonSample } from './python-sample.ts'
import { sampleRequest, type SampleRequest } from './sample-request.ts'

/** Documentation tools show the samples as tabs with these labels, in this order. */
const LANGUAGES: readonly [lang: string, label: string, write: (request: SampleRequest) => string][] = [
  ['JavaScript', '@tiwala/client', clientSample],
  ['Shell', 'curl', curlSample],
  ['Python', 'Python', pythonSample],
  ['PHP', 'PHP', phpSample],
  ['Java', 'Java', javaSample],
  ['Go', 'Go', goSample],
  ['C#', 'C#', csharpSample],
]

type Document = Json & {
  paths: Record<string, Record<string, Json>>
  security: readonly Record<string, unknown>[]
}

export function withCodeSamples<T>(source: T): T {
  const document = structuredClone(source) as Document
  const resolve = (value: Json): Json => {
    if (typeof value.$ref !== 'string') return value
    const [, ...keys] = value.$ref.split('/')
    return keys.reduce<unknown>((node, key) => (node as Json)[key], document) as Json
  }
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const request = sampleRequest(path, method, operation, resolve, document.security)
      item[method] = {
        ...operation,
        'x-codeSamples': LANGUAGES.map(([lang, label, write]) => ({
          lang,
          label,
          source: write(request).trimEnd(),
        })),
      }
    }
  return document as T
}
