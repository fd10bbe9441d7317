import { routes } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { documents } from '../src/contract-check/documents.ts'
import { flatDocument } from '../src/contract-check/flat-document.ts'

type Sample = { lang: string; label: string; source: string }

const LANGUAGES = ['JavaScript', 'Shell', 'Python', 'PHP', 'Java', 'Go', 'C#']

describe.each(Object.entries(routes.partner))('%s', (_id, { method, path }) => {
  const operation = documents.partner.paths[path]![method] as unknown as { 'x-codeSamples': Sample[] }
  const samples = operation['x-codeSamples']

  test('it has a sample in each language', () => {
    expect(samples.map(({ lang }) => lang)).toEqual(LANGUAGES)
  })

  test('each sample reads the credentials from the variables of the guides', () => {
    for (const { source } of samples)
      expect(source).not.toMatch(/(?<!TIWALA_)\b(?:SECRET_CODE|SECRET_TOKEN|PARTNER_CODE|PARTNER_SECRET)\b/)
  })

  test('the sample of the client has no syntax of TypeScript', () => {
    const { source } = samples.find(({ lang }) => lang === 'JavaScript')!
    expect(source).not.toMatch(/![,)]/)
  })

  test('each sample has the address that the server replaces by its own, and no secret', () => {
    for (const { source } of samples) {
      expect(source).toContain('http://localhost:8080')
      expect(source).not.toMatch(/tw[acstx]_|whsec_|undefined|\[object/)
    }
  })
})

test('the document for generators has no samples', () => {
  expect(JSON.stringify(flatDocument)).not.toContain('x-codeSamples')
})
