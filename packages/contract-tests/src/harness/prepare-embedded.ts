import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareEmbedded } from '@tiwala/server/testing'
import type { TestProject } from 'vitest/node'

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-template-'))
  const templateFile = join(folder, 'image.tar')
  await writeFile(templateFile, Buffer.from(await (await prepareEmbedded()).arrayBuffer()))
  project.provide('engine', { kind: 'embedded', templateFile })
  return () => rm(folder, { recursive: true, force: true })
}
