import { expression, followedBy, type SampleRequest, type Value } from './sample-request.ts'

export function phpSample({ method, url, query, headers, form }: SampleRequest): string {
  const [parameter] = query
  const address = parameter
    ? `${text(followedBy(url, '?'))} . http_build_query(['${parameter[0]}' => ${text(parameter[1])}])`
    : text(url)
  const fields = form?.map(([name, value]) => `        '${name}' => ${text(value)},\n`).join('')
  return `<?php
$curl = curl_init(${address});
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 40,
${
  headers.length > 0
    ? `    CURLOPT_HTTPHEADER => [\n${headers
        .map(([name, value]) => `        ${text([`${name}: `, ...value])},\n`)
        .join('')}    ],\n`
    : ''
}${fields ? `    CURLOPT_POSTFIELDS => http_build_query([\n${fields}    ]),\n` : ''}]);
$body = curl_exec($curl);
if ($body === false) {
    throw new RuntimeException(curl_error($curl));
}
echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $body, "\\n";
`
}

/** Adjacent texts are one. */
const text = (value: Value) =>
  expression(
    value.reduce<Value>((done, part) => {
      const last = done.at(-1)
      return typeof last === 'string' && typeof part === 'string'
        ? [...done.slice(0, -1), last + part]
        : [...done, part]
    }, []),
    '.',
    (name) => `getenv('${name}')`,
    (part) => `'${part}'`,
  )
