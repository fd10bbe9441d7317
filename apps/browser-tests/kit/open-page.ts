import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'

export type View = {
  /** In CSS pixels. */
  width?: number
  scheme?: 'light' | 'dark'
  javaScript?: boolean
}
export const PHONE: View = { width: 375 }
export const DESKTOP: View = { width: 1280 }
const HEIGHT = 800
/** Only ends an act that hangs. */
const MAX_ACT_MS = 90_000

let browser: Promise<Browser> | undefined
/** The browser of the run. */
const connect = () => (browser ??= chromium.connect(inject('browser')))

/**
 * A page as a new visitor has it. The test fails if the page had a console error, an uncaught exception, a
 * violation of its content security policy or a request to an origin that is not among `origins`, those of
 * the service.
 */
export async function openPage(origins: string | string[], view: View = {}): Promise<Page> {
  const page = await openUnwatchedPage(view)
  const problems = watch(page, [origins].flat())
  onTestFinished(() => expect(problems).toEqual([]))
  return page
}

/** A page in a context of its own, which is closed after the test. */
export async function openUnwatchedPage(view: View = {}): Promise<Page> {
  const context = await (await connect()).newContext(optionsOf(view))
  context.setDefaultTimeout(MAX_ACT_MS)
  onTestFinished(() => context.close())
  return context.newPage()
}

function optionsOf({ width = 1280, scheme = 'light', javaScript = true }: View): BrowserContextOptions {
  return {
    viewport: { width, height: HEIGHT },
    colorScheme: scheme,
    javaScriptEnabled: javaScript,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  }
}

/** Chromium reports a violation of the content security policy and a failed request as a console error. */
export function watch(page: Page, origins: string[]): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`${page.url()}: uncaught ${error.message}`))
  page.context().on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !origins.includes(origin))
      problems.push(`${page.url()}: request to ${request.url()}`)
  })
  return problems
}
