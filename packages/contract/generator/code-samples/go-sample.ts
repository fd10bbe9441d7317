import { expression, followedBy, type Field, type SampleRequest, type Value } from './sample-request.ts'

export function goSample({ method, url, query, headers, form, timeout }: SampleRequest): string {
  const address = query.length > 0 ? `${text(followedBy(url, '?'))}+query.Encode()` : text(url)
  const isEncoded = query.length > 0 || form !== undefined
  const packages = [
    'fmt',
    'io',
    'log',
    'net/http',
    ...(isEncoded ? ['net/url'] : []),
    'os',
    ...(form ? ['strings'] : []),
    'time',
  ]
  const allHeaders: readonly Field[] = form
    ? [...headers, ['Content-Type', ['application/x-www-form-urlencoded']]]
    : headers
  const setHeaders = allHeaders.map(([name, value]) => `	request.Header.Set("${name}", ${text(value)})\n`)
  const declared = [
    ...(query.length > 0 ? values('query', query) : []),
    ...(form ? values('form', form) : []),
  ]
  const body = form ? 'strings.NewReader(form.Encode())' : 'nil'
  return `package main

import (
${packages.map((name) => `	"${name}"\n`).join('')})

func main() {
${declared.join('')}	request, err := http.NewRequest("${method}", ${address}, ${body})
	if err != nil {
		log.Fatal(err)
	}
${setHeaders.join('')}	client := http.Client{Timeout: ${factor(timeout)} * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode, string(body))
}
`
}

const factor = (sum: string) => (sum.includes('+') ? `(${sum})` : sum)

const values = (variable: string, fields: readonly Field[]) => [
  `	${variable} := url.Values{}\n`,
  ...fields.map(([name, value]) => `	${variable}.Set("${name}", ${text(value)})\n`),
]

const text = (value: Value) =>
  expression(
    value,
    '+',
    (name) => `os.Getenv("${name}")`,
    (part) => `"${part}"`,
  ).replaceAll(' + ', '+')
