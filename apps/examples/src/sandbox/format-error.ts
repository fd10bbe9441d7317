import { inspect } from 'node:util'
import { NotASandboxError } from './sandbox.ts'

/** Says what is wrong and what to do. An unknown error keeps its stack trace. */
export function formatError(error: unknown, address: string): string {
  if (!URL.canParse(address))
    return `"${address}" is not a URL. Give one like http://localhost:8080, or leave it out.`
  if (error instanceof NotASandboxError)
    return (
      `The server at ${address} is not a Tiwala sandbox (${error.message}). ` +
      'Give the address of a sandbox, like http://localhost:8080.'
    )
  if (error instanceof TypeError && error.message === 'fetch failed')
    return (
      `The service is not running at ${address}.\n` +
      'Start it with "npm start" in another terminal, then run this again.'
    )
  return error instanceof Error ? (error.stack ?? error.message) : inspect(error)
}
