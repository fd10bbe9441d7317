// The versions of the client at `/downloads/`, for people and as JSON. The client's build writes the files.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RequestHandler, Router } from 'express'
import type { Listener } from '../../config.ts'
import { pathOf } from '../../program.ts'
import { protectOwnPages, protectPages } from '../pipeline/security-headers.ts'
import { REVALIDATE } from './pages.ts'
import { renderPage, sendPage, toHtml } from './render-page.ts'
import { type ByteBudget, createStaticResponse, sendStatic } from './static-response.ts'

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
export async function downloads({ url }: Listener, budget: ByteBudget): Promise<RequestHandler> {
  const router = Router({ strict: true, caseSensitive: true })
  if (!existsSync(join(DOWNLOADS, 'index.json'))) return router
  const json = await readFile(join(DOWNLOADS, 'index.json'), 'utf8')
  const index = JSON.parse(json) as Index
  router.get('/downloads', protectOwnPages, (_req, res) => res.redirect('/downloads/'))
  router.all(
    '/downloads/',
    protectOwnPages,
    sendPage(() => renderIndex(index, url), budget),
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
  return router
}

const renderIndex = ({ name, latest, versions }: Index, url: string) =>
  renderPage(
    'Downloads',
    `<p><a href="/">Tiwala</a></p>
      <h1>Downloads</h1>
      <p>The TypeScript client <code>${toHtml(name)}</code>. It has no dependencies. Install its newest
      version, ${toHtml(latest)}:</p>
      <pre><code>npm install ${toHtml(url)}/downloads/tiwala-client.tgz</code></pre>
      <p>To stay on one version, use the address of its file. The same list is
      <a href="/downloads/index.json">available as JSON</a>.</p>
      ${versions.map(renderVersion).join('\n      ')}`,
  )

const renderVersion = ({ version, contract, date, file, size, sha256, changes }: Version) =>
  `<h2>${toHtml(version)}</h2>
      <p><time>${toHtml(date)}</time>, for version ${toHtml(contract)} of the contract.
      <a href="/downloads/${toHtml(file)}">${toHtml(file)}</a>, ${Math.ceil(size / 1024)} KB.</p>
      <p>SHA-256: <code>${toHtml(sha256)}</code></p>
      <ul>
        ${changes.map((change) => `<li>${toHtml(change)}</li>`).join('\n        ')}
      </ul>`
