/** Reads `/metrics` of the operator's address. */
export const scrapeMetrics = async (operatorOrigin: string) =>
  (await fetch(`${operatorOrigin}/metrics`)).text()

/** The value of a line such as `name{label="value"} 3`; 0 if there is none. */
export function valueOf(text: string, line: string): number {
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return Number(found?.slice(line.length + 1) ?? 0)
}

/** How much each of the lines grows from now until `differences` is called. */
export async function watchMetrics(operatorOrigin: string, lines: readonly string[]) {
  const before = await scrapeMetrics(operatorOrigin)
  return async () => {
    const after = await scrapeMetrics(operatorOrigin)
    return lines.map((line) => valueOf(after, line) - valueOf(before, line))
  }
}
