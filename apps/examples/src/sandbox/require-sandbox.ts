import { formatError } from './format-error.ts'
import { fetchSandbox } from './sandbox.ts'

/** The test data of a running sandbox. Without one, the example ends and says what to do. */
export const requireSandbox = (address: string) =>
  fetchSandbox(address).catch((error: unknown) => {
    console.error(formatError(error, address))
    process.exit(1)
  })
