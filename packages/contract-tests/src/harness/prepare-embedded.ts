import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareEmbedded } from '@tiwala/server/testing'
import type { TestProject } from 'vitest/node'
import { logFolder } from './log-folder.ts'

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-template-'))
  const templateFile = join(folder, 'image.tar')
  await writeFile(templateFile, Buffer.from(await (await prepareEmbedded()).arrayBuffer()))
  const logs = await logFolder()
  project.provide('engine', { kind: 'embedded', templateFile, logFolder: logs.path })
  return async () => {
    await rm(folder, { recursive: true, force: true })
    await logs.search()
  }
}
