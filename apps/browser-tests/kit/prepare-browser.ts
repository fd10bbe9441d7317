import type { TestEngine } from '@tiwala/server/testing'
import { shareEmbedded } from '@tiwala/server/testing-engines'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { ARGUMENTS, CHROMIUM } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: TestEngine
    browser: string
  }
}

/** One browser for the run, and one image of a migrated database. */
export default async function setup(project: TestProject) {
  const [{ engine, release }, browser] = await Promise.all([
    shareEmbedded(),
    chromium.launchServer({ executablePath: CHROMIUM, args: ARGUMENTS }),
  ])
  project.provide('engine', engine)
  project.provide('browser', browser.wsEndpoint())
  return async () => {
    await browser.close()
    await release()
  }
}
