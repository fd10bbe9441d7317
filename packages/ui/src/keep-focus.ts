// An act can remove the control that has the keyboard focus: an accepted request leaves the phone, and a form
// closes. The browser then gives the focus to `<body>`, and the next Tab begins at the top of the page. This
// module gives it to the nearest part around the control that is still shown, where the outcome is.

/** What can get the focus. A `details` gives it to its summary, and the main part to the heading of a view. */
const PARTS = '[tabindex="-1"], article, li, table, details, section, main'

export function keepFocus(): void {
  /** The element that had the focus last, and those around it, from the inside out. */
  let around: Element[] = []
  const isShown = (element: Element) => element.isConnected && element.checkVisibility()
  /** The browser then gives the focus back itself. If it cannot, the removal of the dialog follows. */
  const isClosing = (element: Element) => element.isConnected && element.matches('dialog:not([open])')
  const giveBack = () => {
    const [last] = around
    if (!last || isShown(last) || around.some(isClosing)) return
    const part = around.find((element) => element.matches(PARTS) && isShown(element))
    around = []
    focusOn(part ?? document.querySelector('main'))
  }
  addEventListener('focusin', ({ target }) => {
    around = []
    for (let element = target as Element | null; element; element = element.parentElement)
      around.push(element)
  })
  // The visitor has left the control by a click beside it. Its removal is seen by the observer before this.
  addEventListener('focusout', ({ relatedTarget }) => {
    if (!relatedTarget) queueMicrotask(() => around[0] && isShown(around[0]) && (around = []))
  })
  new MutationObserver(giveBack).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['open', 'hidden'],
  })
}

function focusOn(part: Element | null): void {
  const heading = part?.querySelector<HTMLElement>(':scope > summary, :scope > h1')
  const element = heading ?? (part as HTMLElement | null)
  if (!element) return
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
}
