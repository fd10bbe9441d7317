import { expression, followedBy, type SampleRequest, type Value } from './sample-request.ts'

export function phpSample({ method, url, query, headers, form, timeout }: SampleRequest): string {
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
    CURLOPT_TIMEOUT => ${timeout},
${
  headers.length > 0
    ? `    CURLOPT_HTTPHEADER => [\n${headers
        .map(([name, value]) => `        ${header(name, value)},\n`)
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

const header = (name: string, [first, ...rest]: Value) =>
  text(typeof first === 'string' ? [`${name}: ${first}`, ...rest] : [`${name}: `, first!, ...rest])

const text = (value: Value) =>
  expression(
    value,
    '.',
    (name) => `getenv('${name}')`,
    (part) => `'${part}'`,
  )
