const startedAtMs = performance.now()

/** What the bench is doing, for whoever waits. Standard output holds the result alone. */
export function log(text: string): void {
  const seconds = Math.round((performance.now() - startedAtMs) / 1000)
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`)
}
