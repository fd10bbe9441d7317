// What both kinds of diagrams share.

/** The width of the text of a phone, so that the letters stay readable on it. */
export const WIDTH = 340
const FONT_SIZE = 13
/** The average of a sans-serif font, measured with the words of the diagrams. */
const CHARACTER_WIDTH = FONT_SIZE * 0.54
export const LINE_HEIGHT = 17

/** A marker for a value of the server is longer than the value that takes its place. */
const widthOf = (text: string) => text.replaceAll(/\b(VALUE|RAW)_\w+/g, '3,600').length * CHARACTER_WIDTH

export const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Breaks a text into lines that fit into the width. */
export function linesOf(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** The widest of the lines. */
export const blockWidth = (lines: string[]) => Math.max(...lines.map(widthOf))

/** Lines of text, the first at `y`. */
export const textAt = (lines: string[], x: number, y: number, anchor: 'start' | 'middle' = 'start') =>
  lines
    .map(
      (line, index) =>
        `<text x="${x}" y="${y + index * LINE_HEIGHT}" text-anchor="${anchor}">${escapeText(line)}</text>`,
    )
    .join('')

export const boxAt = (x: number, y: number, width: number, height: number) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/>`

/** A horizontal arrow. */
export function arrowAt(from: number, to: number, y: number, kind = ''): string {
  const back = to > from ? -7 : 7
  return (
    `<path class="arrow ${kind}" d="M${from} ${y}H${to}"/>` +
    `<path class="head" d="M${to} ${y}l${back} -4v8z"/>`
  )
}

export const svgOf = (width: number, height: number, alternative: string, content: string) =>
  `<svg class="diagram" role="img" aria-label="${escapeText(alternative)}" ` +
  `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
  `xmlns="http://www.w3.org/2000/svg">${content}</svg>`
