const MARK =
  '<rect width="32" height="32" rx="8" fill="#2747de"/>' +
  '<path d="M7.5 10.5h11M13 10.5v12.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>' +
  '<circle cx="23.6" cy="10.5" r="2.9" fill="#f7b733"/>'

/** A letter T beside the sun. The file of the icon of a page. */
export const logoFile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${MARK}</svg>`

/** The mark with the name, for the start of a page. */
export const logo = `<a class="logo" href="/"><svg viewBox="0 0 32 32" aria-hidden="true">${MARK}</svg>Tiwala</a>`
