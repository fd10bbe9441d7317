// What differs between the programs that are derived from a document: `tiwala` of administrators, and that of members.

/**
 * Commands that cannot be undone, that take access away at once, or that give the servers of an existing partner more of
 * it. To confirm, the person types the named argument, or else the command. `isNeeded`: for which input; default: any.
 */
export type Destructive = {
  argument?: string
  warning: string
  isNeeded?: (input: Record<string, unknown>) => boolean
}

/** Whether a rotation ends the present secret at once. */
export const endsAtOnce = (input: Record<string, unknown>) => input['grace_days'] === 0

export type Api<Id extends string> = {
  document: unknown
  routes: Readonly<Record<Id, { method: string; path: string }>>
  /** The commands whose names do not follow from the operation. */
  otherNames: Partial<Record<Id, string>>
  destructive: Partial<Record<Id, Destructive>>
  /** Responses with secrets become lines for the environment of the partner's server. */
  envBlockOf: (id: Id, body: never) => string | undefined
  /** How a person starts the program. */
  program: string
  /** `URL`, `TOKEN` and `TOKEN_COMMAND` follow it in the names of the environment variables. */
  envPrefix: string
  /** Whose identity provider it is. */
  person: 'administrator' | 'member'
  /** The scopes that a sign-in asks for. */
  scopes: readonly string[]
  contextsFile: string
  /** The token that `/sandbox/bootstrap.json` of a sandbox on this machine has for the program. */
  sandboxToken: 'operator_token' | 'member_token'
  /** The setting of the service that names the issuer. */
  issuerSetting: string
  /** Whether the service says which issuer it has (RFC 9728). */
  namesIssuer: boolean
}
