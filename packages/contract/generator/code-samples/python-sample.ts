import { expression, followedBy, type Field, type SampleRequest, type Value } from './sample-request.ts'

export function pythonSample({ method, url, query, headers, form, timeout }: SampleRequest): string {
  const fields = (list: readonly Field[], indent: string) =>
    `{\n${list.map(([name, value]) => `${indent}    "${name}": ${text(value)},\n`).join('')}${indent}}`
  const [parameter] = query
  const address = parameter
    ? `${text(followedBy(url, '?'))} + urlencode({"${parameter[0]}": ${text(parameter[1])}})`
    : text(url)
  return `import os
from urllib.error import HTTPError
${parameter || form ? 'from urllib.parse import urlencode\n' : ''}from urllib.request import Request, urlopen

request = Request(
    ${address},
    method="${method}",
${headers.length > 0 ? `    headers=${fields(headers, '    ')},\n` : ''}${
    form ? `    data=urlencode(${fields(form, '    ')}).encode(),\n` : ''
  })
try:
    with urlopen(request, timeout=${timeout}) as response:
        print(response.status, response.read().decode())
except HTTPError as error:
    print(error.code, error.read().decode())
`
}

const text = (value: Value) =>
  expression(
    value,
    '+',
    (name) => `os.environ["${name}"]`,
    (part) => `"${part}"`,
  )
