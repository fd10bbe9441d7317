import type { IncomingMessage } from 'node:http'

/**
 * The values of a header as the client sent it. `name` is in lower case. Node's `headers` joins or drops
 * repeated headers, and `headersDistinct` copies all of them.
 */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sentName = rawHeaders[index]!
    if (sentName.length === name.length && sentName.toLowerCase() === name)
      values.push(rawHeaders[index + 1]!)
  }
  return values
}
