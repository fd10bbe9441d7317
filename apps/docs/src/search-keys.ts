const search = document.querySelector('site-search')

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  event.preventDefault()
  if (search?.querySelector('dialog')?.open) search.querySelector('input')?.focus()
  else search?.querySelector<HTMLElement>('[data-open-modal]')?.click()
})

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
