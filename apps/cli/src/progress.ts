import { escapeText } from './escape-text.ts'
import { CLEAR_LINE, type Io } from './io.ts'

const WIDTH = 30
const REDRAW_MS = 80

export type Progress = { show(done: number, total: number | undefined, label: string): void; end(): void }

/**
 * Draws a progress bar on one line of the terminal. If standard error is not a terminal, it draws nothing.
 */
export function createProgress({ stderr }: Pick<Io, 'stderr'>): Progress {
  if (!stderr.isTTY) return { show: () => {}, end: () => {} }
  let drawnAtMs = 0
  return {
    show(done, total, label) {
      if (performance.now() - drawnAtMs < REDRAW_MS) return
      drawnAtMs = performance.now()
      const ratio = total ? Math.min(done / total, 1) : undefined
      const bar = '='.repeat(Math.round((ratio ?? 0) * WIDTH)).padEnd(WIDTH)
      const progress = ratio === undefined ? '' : `[${bar}] ${Math.floor(ratio * 100)} %  `
      stderr.write(`${CLEAR_LINE}${progress}${escapeText(label)}`)
    },
    end() {
      drawnAtMs = 0
      stderr.write(CLEAR_LINE)
    },
  }
}
