const SHOWN_MS = 5_000
/** On the page before its text, because only then a screen reader reads the text. */
const region = document.body.appendChild(document.createElement('p'))
region.className = 'toast'
region.role = 'status'
let timer: ReturnType<typeof setTimeout> | undefined
export const hideToast = () => region.replaceChildren()
// In another view it would say something of the view before.
addEventListener('hashchange', hideToast)

/** Says for a moment what was done, or why it was not (`warn`). */
export function toast(text: string, tone: 'good' | 'warn' = 'good') {
  region.className = `toast ${tone}`
  region.textContent = text
  clearTimeout(timer)
  timer = setTimeout(hideToast, SHOWN_MS)
}
