type Method = (...args: unknown[]) => Promise<unknown>

/** Calls a method of a client, with a text first if it refuses options in its place. */
export async function callMethod(client: object, name: string, options: object = {}): Promise<unknown> {
  const method = (client as Record<string, Method>)[name]!
  const refusal = await method({ signal: AbortSignal.abort() }).catch((error: unknown) => error)
  return refusal instanceof TypeError ? method('x', options) : method(options)
}
