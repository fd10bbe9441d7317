import { escapeText } from './escape-text.ts'
import { CLEAR_LINE, type Io } from './io.ts'

const WIDTH = 30
const REDRAW_MS = 80

export type Progress = { show(done: number, total: number | undefined, what: string): void; end(): void }

/** A bar that is drawn over itself on a terminal, and nothing elsewhere. */
export function createProgress({ stderr }: Pick<Io, 'stderr'>): Progress {
  if (!stderr.isTTY) return { show: () => {}, end: () => {} }
  let drawnAtMs = 0
  return {
    show(done, total, what) {
      if (performance.now() - drawnAtMs < REDRAW_MS) return
      drawnAtMs = performance.now()
      const share = total ? Math.min(done / total, 1) : undefined
      const filled = '='.repeat(Math.round((share ?? 0) * WIDTH)).padEnd(WIDTH)
      stderr.write(`${CLEAR_LINE}${share === undefined ? '' : `[${filled}] ${Math.floor(share * 100)} %  `}${escapeText(what)}`)
    },
    end() {
      drawnAtMs = 0
      stderr.write(CLEAR_LINE)
    },
  }
}
