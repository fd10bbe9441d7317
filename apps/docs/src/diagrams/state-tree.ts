// A state diagram as a tree: each state is a box, under the state that it follows, with what leads to it.
import { arrowAt, boxAt, linesOf, LINE_HEIGHT, svgOf, textAt, WIDTH } from './svg.ts'

/** `by` is what leads to the state. */
export type State = { name: string; by: string; next?: State[] }
export type StateTree = { title: string; states: State[] }

const INDENT = 34
const BOX = { width: 94, height: 26 }
const ROW_GAP = 12

type Row = { name: string; by: string; depth: number; from: string | undefined }

const rowsOf = (states: State[], depth = 0, from?: string): Row[] =>
  states.flatMap(({ name, by, next = [] }) => [{ name, by, depth, from }, ...rowsOf(next, depth + 1, name)])

/** `PENDING to ACCEPTED: the citizen accepts.` */
export const stateText = ({ title, states }: StateTree): string =>
  [
    `${title}.`,
    ...rowsOf(states).map(({ name, by, from }) => `${from ? `${from} to` : 'Start:'} ${name}: ${by}.`),
  ].join(' ')

export function stateSvg(tree: StateTree): string {
  /** Where the line under the last state of each depth starts. */
  const spines: number[] = [0]
  let y = 4
  const drawn = rowsOf(tree.states).map(({ name, by, depth }) => {
    const x = 12 + depth * INDENT
    const textX = x + 16 + BOX.width + 8
    const lines = linesOf(by, WIDTH - textX)
    const middle = y + BOX.height / 2
    const spine = `<path class="arrow" d="M${x} ${spines[depth]}V${middle}"/>`
    spines[depth + 1] = y + BOX.height
    const svg =
      spine +
      arrowAt(x, x + 16, middle) +
      boxAt(x + 16, y, BOX.width, BOX.height) +
      textAt([name], x + 16 + BOX.width / 2, middle + 4.5, 'middle') +
      textAt(lines, textX, middle + 4.5)
    y += BOX.height + ROW_GAP + (lines.length - 1) * LINE_HEIGHT
    return svg
  })
  return svgOf(WIDTH, y, stateText(tree), `<circle class="start" cx="12" cy="4" r="4"/>${drawn.join('')}`)
}
