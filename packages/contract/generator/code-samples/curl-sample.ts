import type { SampleRequest, Value } from './sample-request.ts'

export function curlSample({ method, url, query, headers, form = [] }: SampleRequest): string {
  const isImplied = method === (form.length > 0 ? 'POST' : 'GET')
  const [first, ...others] = [
    `curl ${isImplied ? '' : `-X ${method} `}"${text(url)}"`,
    ...headers.map(([name, value]) => `-H "${name}: ${text(value)}"`),
    ...(query.length > 0 ? ['-G'] : []),
    ...[...query, ...form].map(([name, value]) => `--data-urlencode "${name}=${text(value)}"`),
  ]
  return `${[first, ...others.map((line) => `  ${line}`)].join(' \\\n')}\n`
}

const text = (value: Value) =>
  value.map((part) => (typeof part === 'string' ? part : `$${part.env}`)).join('')
