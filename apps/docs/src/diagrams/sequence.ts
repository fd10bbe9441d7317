// A sequence diagram: the participants side by side, and their messages from top to bottom.
import { arrowAt, blockWidth, boxAt, linesOf, LINE_HEIGHT, svgOf, textAt, WIDTH } from './svg.ts'

/** `from` and `to` are participants. Without `to`, the step is a note at `from`. */
export type Step = { from: string; to?: string; text: string; isReply?: boolean }
export type Sequence = { title: string; participants: string[]; steps: Step[] }

const MARGIN = 4
const HEAD_HEIGHT = 44
const GAP = 16

/** `1. Citizen app to Your server: QR value.` */
export const sequenceText = ({ title, steps }: Sequence): string =>
  [
    `${title}.`,
    ...steps.map(({ from, to, text }, index) => `${index + 1}. ${to ? `${from} to ${to}` : from}: ${text}.`),
  ].join(' ')

/** Of the width of a page beside its sidebar: more of a message fits between two participants. */
export const WIDE = 520

export function sequenceSvg(sequence: Sequence, width = WIDTH): string {
  const { participants, steps } = sequence
  const column = width / participants.length
  const centerOf = (name: string) => {
    const index = participants.indexOf(name)
    if (index < 0) throw new Error(`${sequence.title}: there is no participant ${name}`)
    return (index + 0.5) * column
  }
  let y = HEAD_HEIGHT + 6
  const drawn = steps.map((step) => {
    const { svg, height } = drawStep(step, centerOf, y, width)
    y += height
    return svg
  })
  const heads = participants.map((name) => {
    const lines = linesOf(name, column - 16)
    const top = HEAD_HEIGHT / 2 + 5 - ((lines.length - 1) * LINE_HEIGHT) / 2
    return (
      boxAt(centerOf(name) - column / 2 + MARGIN, 1, column - 2 * MARGIN, HEAD_HEIGHT) +
      textAt(lines, centerOf(name), top, 'middle')
    )
  })
  const lifelines = participants.map(
    (name) => `<path class="line" d="M${centerOf(name)} ${HEAD_HEIGHT}V${y}"/>`,
  )
  return svgOf(width, y + 4, sequenceText(sequence), [...lifelines, ...heads, ...drawn].join(''))
}

/** The text is above its arrow, and moves inwards where it would leave the picture. */
function drawStep(
  { from, to, text, isReply }: Step,
  centerOf: (name: string) => number,
  y: number,
  width: number,
) {
  const start = centerOf(from)
  const end = to === undefined ? start : centerOf(to)
  const lines = linesOf(text, to === undefined ? 200 : Math.max(Math.abs(end - start) - 8, 76))
  const half = blockWidth(lines) / 2 + MARGIN
  const center = Math.min(Math.max((start + end) / 2, half), width - half)
  const bottom = y + GAP + (lines.length - 1) * LINE_HEIGHT
  const words = textAt(lines, center, y + GAP, 'middle')
  if (to === undefined) {
    const box = boxAt(center - half, y + 1, 2 * half, lines.length * LINE_HEIGHT + 6)
    return { svg: `<g class="note">${box}${words}</g>`, height: bottom - y + GAP }
  }
  return {
    svg: words + arrowAt(start, end, bottom + 8, isReply ? 'reply' : ''),
    height: bottom - y + GAP + 4,
  }
}
