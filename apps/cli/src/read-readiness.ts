const TIMEOUT_MS = 2_000

/** What `/readyz` says. Empty if the response is not from the service. */
export async function readReadiness(operatorUrl: string): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(new URL('/readyz', operatorUrl), { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    return {}
  }
}
