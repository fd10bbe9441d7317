// The samples of the reference, and what a reader needs to run them.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sentText } from '../src/reference/examples.ts'
import { operations } from '../src/reference/operations.ts'
import { samplesOf, sentFileOf, variablesOf } from '../src/reference/samples.ts'

const operationNamed = (id: string) => operations.find((operation) => operation.id === id)!
const samplesNamed = (id: string) => samplesOf(operationNamed(id))
const sourceOf = (id: string) => samplesNamed(id)[0]!.source

describe('a sample of an operation that waits', () => {
  const samples = samplesNamed('inquire')

  test('waits as long as the setting says', () => {
    for (const { source } of samples)
      expect(source).toMatch(/wait=RAW_MAX_WAIT_SECONDS|waitSeconds: RAW_MAX_WAIT_SECONDS/)
  })
})

test('a program has a file name and commands. The client is installed from this server', () => {
  const commands = new Map(samplesNamed('inquire').map((sample) => [sample.label, sample.commands]))
  expect(commands.get('curl')).toBeUndefined()
  expect(commands.get('@tiwala/client')).toMatchObject({
    setup: 'npm install http://localhost:8080/downloads/tiwala-client.tgz',
    file: 'inquire.mjs',
    run: 'node inquire.mjs',
  })
  expect(commands.get('Java')).toMatchObject({ file: 'Inquire.java', run: 'java Inquire.java' })
})

test('each variable of a sample has its origin, for a sandbox and for live', () => {
  for (const operation of operations) {
    const samples = samplesOf(operation)
    const read = samples
      .filter(({ label }) => label === 'curl')
      .flatMap(({ source }) => [...source.matchAll(/\$([A-Z_]+)/g)].map(([, name]) => name!))
    expect(read).not.toEqual([])
    for (const environment of ['sandbox', 'live'] as const) {
      const variables = variablesOf(samples, { environment, documents: ['partner'] })
      expect(variables.flatMap(({ names }) => names)).toEqual(expect.arrayContaining([...new Set(read)]))
    }
    const live = variablesOf(samples, { environment: 'live', documents: ['partner'] })
    expect(live.map(({ origin }) => origin).join(' ')).not.toMatch(/sandbox/)
  }
})

test('the operator address of a sandbox names no guide, because they stand at the public address', () => {
  for (const operation of operations.filter(({ document }) => document === 'operator')) {
    const variables = variablesOf(samplesOf(operation), { environment: 'sandbox', documents: ['operator'] })
    expect(variables.map(({ origin }) => origin).join(' ')).not.toContain('/docs/guides/')
  }
})

test('an example of a form is what a client sends', async () => {
  const values = { scope: 'SSO_AUTHENTICATION', exchange_code: 'a b&c' }
  for (const type of ['multipart/form-data; boundary=boundary', 'application/x-www-form-urlencoded']) {
    const { code } = sentText(type.split(';')[0]!, values)
    const body = type.startsWith('multipart/') ? `${code}\n`.replaceAll('\n', '\r\n') : code
    const form = await new Response(body, { headers: { 'Content-Type': type } }).formData()
    expect(Object.fromEntries(form.entries())).toEqual(values)
  }
  expect(JSON.parse(sentText('application/json', values).code)).toEqual(values)
})

test('a variable that the shell of the guides sets has the same name there', () => {
  const guide = readFileSync(new URL('../src/content/docs/guides/first-profile.mdx', import.meta.url), 'utf8')
  const variables = operations.flatMap((operation) =>
    variablesOf(samplesOf(operation), { environment: 'sandbox', documents: ['partner'] }),
  )
  const set = variables.filter(({ origin }) => origin.startsWith('set by')).flatMap(({ names }) => names)
  expect(new Set(set).size).toBe(5)
  for (const name of set) expect(guide).toContain(`export ${name}=`)
})

describe('curl of the citizen-app and operator documents', () => {
  test('sends no optional header', () => {
    for (const operation of operations.filter(({ document }) => document !== 'partner'))
      expect(samplesOf(operation)[0]!.source).not.toMatch(/traceparent|Last-Event-ID/i)
  })

  test('sends the example of the body as a file', () => {
    expect(sourceOf('importCitizens')).toContain('--data-binary @citizens.ndjson')
    expect(sentFileOf(operationNamed('importCitizens'))).toBe('citizens.ndjson')
  })

  test('shows events while they arrive', () => {
    expect(sourceOf('streamEvents')).toMatch(/^curl --no-buffer /)
    expect(sourceOf('readPreferences')).toMatch(/^curl --request GET /)
  })
})
