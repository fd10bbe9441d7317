// The alerts for Prometheus and the dashboards for Grafana. `promtool test rules rules.test.yaml` tests their expressions.
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { registry } from '../../src/metrics/registry.ts'

type Labeled = { labelNames: readonly string[] }

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

test('rules and dashboards use only metrics and labels that the service has', async () => {
  const registered = new Map(
    registry.getMetricsAsArray().map((metric) => [metric.name, metric as unknown as Labeled]),
  )
  const folder = 'observability/dashboards/'
  const dashboards = (await readdir(new URL(`../../${folder}`, import.meta.url))).map((file) => folder + file)
  expect(dashboards.map((file) => file.slice(folder.length)).toSorted()).toEqual([
    'database.json',
    'partners.json',
    'service.json',
  ])
  for (const file of ['observability/rules.yaml', ...dashboards]) {
    const text = await read(file)
    const names = [...text.matchAll(/\b(?:tiwala|process|nodejs)_[a-z0-9_]+\b(?!:)/g)].map(([name]) => name)
    expect(names.length).toBeGreaterThan(5)
    const unknown = names.filter(
      (name) => !registered.has(name) && !registered.has(name.replace(/_(bucket|count|sum)$/, '')),
    )
    expect([file, ...unknown]).toEqual([file])
    for (const [, name, labels] of text.matchAll(/\b(tiwala_[a-z_]+)\{([^}]+)\}/g)) {
      const { labelNames } =
        registered.get(name!) ?? registered.get(name!.replace(/_(bucket|count|sum)$/, ''))!
      const used = [...labels!.matchAll(/(\w+)(?:=|!)/g)].map(([, label]) => label!)
      const known = new Set(['job', 'le', ...labelNames])
      expect([name, ...used.filter((label) => !known.has(label))]).toEqual([name])
    }
  }
})
