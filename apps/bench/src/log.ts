const startedAtMs = performance.now()

/** Writes progress to standard error. Standard output holds only the result. */
export function log(text: string): void {
  const seconds = Math.round((performance.now() - startedAtMs) / 1000)
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`)
}
