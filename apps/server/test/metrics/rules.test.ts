// The alerts for Prometheus. `promtool test rules rules.test.yaml` tests their expressions.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

type Rules = { groups: { rules: { alert?: string; annotations: Record<string, string> }[] }[] }

const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')

test('each alert leads to a page of the operator guides', async () => {
  const { groups } = parse(await read('observability/rules.yaml')) as Rules
  const alerts = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert)
  expect(alerts.length).toBeGreaterThan(10)
  const sections = [...(await read('OPERATIONS.md')).matchAll(/^## (.+)$/gm)].map(([, title]) => title!)
  const pages = new Set(sections.map((title) => title.toLowerCase().replaceAll(/\W+/g, '-')))
  const missing = alerts.filter(({ annotations: { summary, action, runbook_url } }) => {
    const page = /^http:\/\/127\.0\.0\.1:8081\/docs\/operations\/([\w-]+)$/.exec(runbook_url ?? '')?.[1]
    return !summary || !action || !page || !pages.has(page)
  })
  expect(missing.map(({ alert }) => alert)).toEqual([])
})
