import { TiwalaError } from '@tiwala/client'
import { NotASandbox } from './sandbox.ts'

/** What went wrong, and what to do about it. */
export function explain(error: unknown, address: string): string {
  if (!URL.canParse(address)) return `"${address}" is no address. Give one like http://localhost:8080, or none.`
  if (error instanceof NotASandbox)
    return `What answers at ${address} is no Tiwala sandbox (${error.message}). Give the address of one: npm run demo -- http://localhost:8080`
  if (error instanceof TiwalaError) return `The service refused: ${error.message}`
  if (error instanceof TypeError && error.message === 'fetch failed')
    return `The service is not running at ${address}.\nStart it with "npm start" in another terminal, then run the demo again.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
