// The versions of the client at `/downloads/`, for people and as JSON. The client's build writes the files.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { icon } from '@tiwala/ui/icons'
import { type RequestHandler, Router } from 'express'
import type { Listener } from '../../config.ts'
import { pathOf } from '../../program.ts'
import { protectOwnPages, protectPages } from '../pipeline/security-headers.ts'
import { renderPage, sendPage, toHtml } from './render-page.ts'
import { type ByteBudget, createStaticResponse, REVALIDATE, sendStatic } from './static-response.ts'

const DOWNLOADS = pathOf('downloads')

type Version = {
  version: string
  contract: string
  date: string
  file: string
  size: number
  sha256: string
  changes: string[]
}
type Index = { name: string; latest: string; versions: Version[] }

/** Without a build there are no downloads, and every address of them is unknown. */
export async function downloads(
  { url }: Listener,
  budget: ByteBudget,
  isLive: boolean,
): Promise<RequestHandler> {
  const router = Router({ strict: true, caseSensitive: true })
  if (!existsSync(join(DOWNLOADS, 'index.json'))) return router
  const json = await readFile(join(DOWNLOADS, 'index.json'), 'utf8')
  const index = JSON.parse(json) as Index
  router.get('/downloads', protectOwnPages, (_req, res) => res.redirect('/downloads/'))
  router.all(
    '/downloads/',
    protectOwnPages,
    sendPage(() => renderIndex(index, url, isLive), budget),
  )
  const asJson = await createStaticResponse('application/json', json)
  router.all('/downloads/index.json', protectPages, sendStatic(asJson, REVALIDATE, budget))
  // The address that never changes, for the newest version, is in the recipes of the documentation.
  for (const file of ['tiwala-client.tgz', ...index.versions.map((version) => version.file)]) {
    const packed = await createStaticResponse(
      'application/gzip',
      await readFile(join(DOWNLOADS, file)),
      false,
    )
    router.all(`/downloads/${file}`, protectPages, sendStatic(packed, REVALIDATE, budget))
  }
  for (const file of ['SHA256SUMS', 'SHA256SUMS.sig']) {
    // The signature is there only if the publisher has signed.
    if (!existsSync(join(DOWNLOADS, file))) continue
    const content = await readFile(join(DOWNLOADS, file))
    const sums = await createStaticResponse('application/octet-stream', content, false)
    router.all(`/downloads/${file}`, protectPages, sendStatic(sums, REVALIDATE, budget))
  }
  return router
}

const renderIndex = ({ name, latest, versions }: Index, url: string, isLive: boolean) =>
  renderPage(
    'Downloads',
    `<h1>Downloads</h1>
      <p class="lead">The client for TypeScript and JavaScript, <code>${toHtml(name)}</code>: one file without
      dependencies, for Node 20.18 or later.</p>
      <pre><code>npm install ${toHtml(url)}/downloads/tiwala-client.tgz</code></pre>
      <p class="row">
        <a class="button primary" href="/downloads/tiwala-client.tgz">${icon('download')} Download
        ${toHtml(latest)}</a>
        <a class="button" href="/docs/guides/first-profile">How to use it</a>
      </p>
      <p class="soft small">To stay on one version, use the address of its file. The same list is
      <a href="/downloads/index.json">available as JSON</a>.</p>
      <h2>OpenAPI documents</h2>
      <p>With the address of this server, for every language:
      <a href="/openapi/partner.json">JSON</a>, <a href="/openapi/partner.yaml">YAML</a>,
      <a href="/openapi/partner-3.0.json">OpenAPI 3.0</a> for older generators.
      To send requests by hand: <a href="/openapi/partner.postman_collection.json">Postman collection</a>,
      <a href="/openapi/partner.http">HTTP file</a>.
      <a href="/docs/downloads">All documents, and these pages as text</a></p>
      <h2>Versions</h2>
      ${versions.map((version) => renderVersion(version, version.version === latest)).join('\n      ')}`,
    { isLive },
  )

/** As in the changelog of the documentation. */
const DATES = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const renderVersion = (
  { version, contract, date, file, size, sha256, changes }: Version,
  isLatest: boolean,
) => `<section class="card">
      <h3>${toHtml(version)}${isLatest ? ' <span class="badge good">latest</span>' : ''}</h3>
      <p class="soft small"><time datetime="${toHtml(date)}">${DATES.format(new Date(date))}</time>, for version ${toHtml(contract)} of the contract.
      <a href="/downloads/${toHtml(file)}">${toHtml(file)}</a>, ${Math.ceil(size / 1024)} KB</p>
      <p class="soft small">SHA-256: <code>${toHtml(sha256)}</code></p>
      <details><summary>${changes.length} ${changes.length === 1 ? 'change' : 'changes'}</summary><ul>
        ${changes.map((change) => `<li>${toHtml(change)}</li>`).join('\n        ')}
      </ul></details>
      </section>`
