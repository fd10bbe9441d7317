// Starlight loads the search box when the browser is idle. A busy or hidden page may never be.
const { requestIdleCallback: whenIdle } = window
if (whenIdle)
  window.requestIdleCallback = (callback, options) => whenIdle(callback, { timeout: 2_000, ...options })

const search = document.querySelector('site-search')

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

addEventListener('keydown', (event) => {
  if (
    !search ||
    event.key !== '/' ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTyping(event.target)
  )
    return
  event.preventDefault()
  if (!search.querySelector('dialog')?.open) search.querySelector<HTMLElement>('[data-open-modal]')?.click()
  if (!focusInput())
    new MutationObserver((_changes, observer) => focusInput() && observer.disconnect()).observe(search, {
      childList: true,
      subtree: true,
    })
})

/** The search box loads when the browser is idle, so its dialog can open before it has an input. False: it has none. */
function focusInput(): boolean {
  const input = search?.querySelector('input')
  input?.focus()
  return input instanceof HTMLElement
}

search?.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[(event as KeyboardEvent).key]
  const stops = [
    ...search.querySelectorAll<HTMLElement>('input, .pagefind-ui__result-link, .pagefind-ui__button'),
  ]
  const place = stops.findIndex((stop) => stop === document.activeElement)
  const next = step && place >= 0 ? stops[place + step] : undefined
  if (!next) return
  event.preventDefault()
  next.focus()
})
