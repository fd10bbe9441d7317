import { unknownMarkers } from '@tiwala/server/docs-values'
import type { Site } from '../src/site.ts'

/** What only a sandbox has, and the command that needs one. */
const SANDBOX = /sandbox|tiwala-listen/i
/** Addresses of the server that are not part of the documentation. */
const OUTSIDE = /^\/($|(openapi|downloads|sandbox|workbench)\/)/

/**
 * Throws an error that lists the links to pages that do not exist, the titles that two pages have, the
 * markers that no setting fills in, lists without an item, and what a live site says about the sandbox.
 */
export function checkPages(
  pages: ReadonlyMap<string, string>,
  files: readonly string[],
  environment: Site['environment'],
): void {
  const addresses = new Set(
    files.map((name) => `/docs/${name.replaceAll('\\', '/')}`.replace(/\/index\.html$/, '')),
  )
  const problems = [...pages].flatMap(([name, html]) => [
    ...linksOf(html)
      .filter((link) => !OUTSIDE.test(link) && !addresses.has(link))
      .map((link) => `${name}: no page at ${link}`),
    ...unknownMarkers(html).map((marker) => `${name}: no setting for ${marker}`),
    ...(/<ul[^>]*>\s*<\/ul>/.test(html) ? [`${name}: an empty list, for example in the sidebar`] : []),
    ...(environment === 'live' && SANDBOX.test(html) ? [`${name}: mentions the sandbox`] : []),
  ])
  for (const [title, names] of Map.groupBy(pages.keys(), (name) => titleOf(pages.get(name)!)))
    if (title && names.length > 1) problems.push(`${names.join(', ')}: the same title, ${title}`)
  if (problems.length) throw new Error(['The pages have faults:', ...new Set(problems)].join('\n  '))
}

const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1]

/** The paths on this server to which a page leads, without their fragments. */
const linksOf = (html: string) =>
  [...html.matchAll(/\s(?:href|src)="(\/[^"#?]*)/g)].map(([, path = '']) => decodeURI(path))
