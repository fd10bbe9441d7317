import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { DESKTOP, openUnwatchedPage, PHONE, type View, watch } from '../kit/open-page.ts'

export type Part = 'Phone' | 'Timeline' | 'Desk' | 'Controls'
export type Tool = 'Requests' | 'Events' | 'Errors' | 'Credentials'
/** Below this width the page shows one part at a time. */
const BOTH_SIDES_PX = 960

/** Chromium reports each response with an error status, also one that the test has provoked. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/
const STOPPED =
  /Failed to load resource: net::ERR_|Failed to load resource: the server responded with a status of 50[34]/

/** How a visitor uses the page. */
export type Use = {
  view: View
  /** Nothing is clicked: Tab, Enter, the space bar and the arrow keys. */
  isKeyboardOnly?: boolean
  /** The page is reloaded between the steps of an act. */
  isReloaded?: boolean
  /** The phone is in one tab, everything else in another one. */
  hasTwoTabs?: boolean
}
/** Each act is tested in all of these. */
export const USES: (Use & { use: string })[] = [
  { use: 'at 375 px, with reloads', view: PHONE, isReloaded: true },
  { use: 'at 1280 px, with the keyboard only', view: DESKTOP, isKeyboardOnly: true },
  { use: 'at 1280 px, in two tabs', view: DESKTOP, hasTwoTabs: true },
]

type Options = Use & { isRefusalExpected?: boolean; isStopExpected?: boolean }

/** The sandbox page of a new visitor, ready to use. Fails the test for problems that are not expected. */
export async function openSandbox(url: string, options: Options) {
  const { view, hasTwoTabs = false, isRefusalExpected = false, isStopExpected = false } = options
  const open = async (page: Page) => {
    const problems = watch(page, [url])
    onTestFinished(() => {
      const unexpected = problems.filter(
        (problem) =>
          !(isRefusalExpected && REFUSED.test(problem)) && !(isStopExpected && STOPPED.test(problem)),
      )
      expect(unexpected).toEqual([])
    })
    await page.goto(`${url}/sandbox/`)
    await page.getByTestId('qr-value').waitFor()
    return page
  }
  const phone = await open(await openUnwatchedPage(view))
  const desk = hasTwoTabs ? await open(await phone.context().newPage()) : phone
  return sandboxPage(phone, desk, options)
}

export type SandboxPage = ReturnType<typeof sandboxPage>

/** The acts of a visitor. `page` is the tab that the visitor looks at. */
export function sandboxPage(phoneTab: Page, deskTab = phoneTab, use: Omit<Use, 'view'> = {}) {
  let clicks = 0
  let page = phoneTab
  const { width } = page.viewportSize()!
  const press = async (target: Locator, key = 'Enter') => {
    if (!use.isKeyboardOnly) return target.click()
    await focusWithTab(page, target)
    await page.keyboard.press(key)
  }
  const click = async (name: string | RegExp, scope: Pick<Page, 'getByRole'> = page) => {
    clicks++
    await press(scope.getByRole('button', { name, exact: true }).first())
  }
  const show = async (part: Part) => {
    page = part === 'Phone' ? phoneTab : deskTab
    await page.bringToFront()
    if (width < BOTH_SIDES_PX) await click(part)
  }
  /** Opens a tab of the controls. With the keyboard: the arrow keys go from tab to tab. */
  const showTool = async (name: Tool) => {
    await show('Controls')
    const tab = page.getByRole('tab', { name, exact: true })
    if (!use.isKeyboardOnly) return tab.click()
    await focusWithTab(page, page.getByRole('tab', { selected: true }))
    for (let tries = 0; (await tab.getAttribute('aria-selected')) !== 'true'; tries++) {
      expect(tries).toBeLessThan(MAX_TABS)
      await page.keyboard.press('ArrowRight')
    }
  }
  return {
    get page() {
      return page
    },
    click,
    show,
    showTool,
    open: (summary: string | RegExp, scope: Pick<Page, 'locator'> = page) =>
      press(scope.locator('summary', { hasText: summary }).first()),
    follow: press,
    /** Checks or unchecks a box, or chooses the next one of several. */
    toggle: async (target: Locator) => {
      if (!use.isKeyboardOnly) return target.click()
      const isChoice = (await target.getAttribute('type')) === 'radio'
      await press(isChoice ? page.locator('input[type=radio]:checked') : target, isChoice ? 'ArrowDown' : ' ')
    },
    fill: async (target: Locator, text: string) => {
      if (!use.isKeyboardOnly) return target.fill(text)
      await focusWithTab(page, target)
      // A date is typed field by field: month, day, year.
      const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
      if (year) await page.keyboard.type(`${month}${day}${year}`)
      else await page.keyboard.insertText(text)
    },
    /** Between two steps: a visitor of `isReloaded` reloads the page. */
    pause: async () => {
      if (!use.isReloaded) return
      await page.reload()
      await page.locator('main.parts').waitFor()
    },
    clicks: () => clicks,
    profile: deskTab.getByRole('article', { name: 'Profile' }),
    record: deskTab.getByRole('article', { name: /^Record / }).first(),
    request: phoneTab.getByRole('article', { name: /^Request / }).first(),
    desk: deskTab.getByRole('region', { name: "The partner's desk" }),
    phone: phoneTab.getByRole('region', { name: "The citizen's phone" }),
    controls: deskTab.getByRole('region', { name: 'Controls' }),
    requests: deskTab.getByRole('tabpanel', { name: 'Requests' }),
    timeline: deskTab.getByRole('region', { name: 'What happens' }),
    /** The requests that the tab has sent for one side, or for one operation of it, newest first. */
    sentBy: (side: 'Phone' | 'Desk' | 'Controls', operation = '') =>
      (side === 'Phone' ? phoneTab : deskTab).getByRole('listitem', {
        name: new RegExp(`^${side}: ${operation}`),
      }),
    /** The desk scans the code that the phone in its tab shows, and asks. */
    ask: async () => {
      await show('Desk')
      await click('Scan the code', page.getByRole('region', { name: "The partner's desk" }))
    },
    answer: async (answer: 'Accept' | 'Decline') => {
      await show('Phone')
      await click(answer)
      await show('Desk')
    },
  }
}

/** What the Tab key stops at. A group of radio buttons is one stop. */
const STOPS =
  'a[href], button:enabled:not([tabindex="-1"]), input:enabled:not([type=radio]:not(:checked)), ' +
  'select:enabled, summary, [tabindex="0"]'
const MAX_TABS = 4
/** The first way to an element can miss it by a few stops. */
const MAX_WAYS = 20

/** Presses Tab or Shift+Tab until the element has the focus. */
async function focusWithTab(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  await expect.poll(() => target.isEnabled()).toBe(true)
  for (let way = 0; way < MAX_WAYS; way++) {
    const distance = await target.evaluate((element, selector) => {
      const stops = [...document.querySelectorAll(selector)].filter((stop) => stop.checkVisibility())
      const now = document.activeElement!
      // The focus can be at something that is no stop: then Tab goes on to the next one.
      const before = stops.filter(
        (stop) => stop === now || now.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING,
      )
      const index = stops.indexOf(element)
      const isBehind = index < before.length && !stops.includes(now)
      return isBehind ? index - before.length : index + 1 - before.length
    }, STOPS)
    if (distance === 0) return
    const count = Math.ceil(Math.abs(distance) / (way === 0 ? 1 : 2))
    for (let stop = 0; stop < count; stop++) await page.keyboard.press(distance > 0 ? 'Tab' : 'Shift+Tab')
  }
  throw new Error(`The Tab key does not reach ${String(target)}`)
}

/** The sandbox that the page has stored. */
export const storedSandbox = (page: Page) =>
  page.evaluate(
    () => (JSON.parse(localStorage.getItem('tiwala-sandbox')!) as { sandbox: CreatedSandbox }).sandbox,
  )

/** What has the keyboard focus: its label, or its text. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement!
    return element === document.body ? 'body' : (element.ariaLabel ?? element.textContent)
  })

/** What a visitor copies. */
export const copiedText = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
