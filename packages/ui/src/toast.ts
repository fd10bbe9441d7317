const SHOWN_MS = 5_000
/** On the page before its text, because only then a screen reader reads the text. */
const region = document.body.appendChild(document.createElement('p'))
region.className = 'toast'
region.role = 'status'
let timer: ReturnType<typeof setTimeout> | undefined

/** Says for a moment what was done. */
export function toast(text: string) {
  region.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => region.replaceChildren(), SHOWN_MS)
}
