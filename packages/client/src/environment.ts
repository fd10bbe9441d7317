/** An environment variable, also in runtimes that have none. Empty counts as absent. */
export function readEnvironment(variable: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[variable] || undefined
}

/** The value of an option that the caller left out. */
export function fromEnvironment(variable: string, option: string): string {
  const value = readEnvironment(variable)
  if (value === undefined)
    throw new TypeError(
      `${option} must be a string that is not empty, but it is undefined. Pass it, or set ${variable}.`,
    )
  return value
}
