import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import clientPackage from '@tiwala/client/package.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { readReleases, SIGNATURE } from '../../../../packages/client/releases.ts'
import { startServiceForFile } from '../kit/test-service.ts'

type Version = {
  version: string
  file: string
  size: number
  sha256: string
  date: string
  changes: string[]
}

const service = await startServiceForFile()
const get = (path: string) => fetch(`${service.url}/downloads/${path}`)
const index = (await (await get('index.json')).json()) as { latest: string; versions: Version[] }

const bytesOf = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer())

test('200: the list has the newest version first, and older versions after it', () => {
  expect(index.latest).toBe(clientPackage.version)
  const published = readReleases().map(({ version }) => version)
  expect(index.versions.map(({ version }) => version)).toEqual([
    ...new Set([clientPackage.version, ...published]),
  ])
})

test('200: each version has its bytes, its size, its SHA-256, its date and its changes', async () => {
  for (const { file, size, sha256, date, changes } of index.versions) {
    const bytes = await bytesOf(file)
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256])
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(changes.length).toBeGreaterThan(0)
  }
  expect((await bytesOf('tiwala-client.tgz')).equals(await bytesOf(index.versions[0]!.file))).toBe(true)
})

test('200: SHA256SUMS has the sum of each published version. Its signature is there only if the publisher signed', async () => {
  const sums = (await bytesOf('SHA256SUMS')).toString().trim().split('\n')
  const published = index.versions.filter(({ version }) =>
    readReleases().some((each) => each.version === version),
  )
  for (const { file } of published)
    expect(sums).toContain(
      `${createHash('sha256')
        .update(await bytesOf(file))
        .digest('hex')}  ${file}`,
    )
  expect(sums.length).toBe(published.length)
  expect((await get('SHA256SUMS.sig')).status).toBe(existsSync(SIGNATURE) ? 200 : 404)
})

test('200: the page has the command of this server, and a link to each version', async () => {
  const page = await (await get('')).text()
  expect(page).toContain(`<code>npm install ${service.url}/downloads/tiwala-client.tgz</code>`)
  for (const { file, sha256 } of index.versions) {
    expect(page).toContain(`<a href="/downloads/${file}">`)
    expect(page).toContain(sha256)
  }
})
