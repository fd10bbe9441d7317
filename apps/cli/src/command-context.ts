import type { ConnectOptions, OperatorTransport } from './connect.ts'
import type { OperatorId } from './document.ts'
import type { Io } from './io.ts'

export type Input = { path?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
/** What is given beside what the document asks for. */
export type Options = ConnectOptions & {
  json?: boolean
  all?: boolean
  yes?: boolean
  file?: string
  independent?: boolean
  export?: string
  keys?: string
  kept?: string
}

/** What is to be done, and with what. */
export type CommandContext = {
  id: OperatorId
  io: Io
  input: Input
  options: Options
  operatorUrl: string
  connect(): Promise<OperatorTransport>
}

/** Does it, and gives the exit code where that is not 0. */
export type CommandHandler = (context: CommandContext) => Promise<number | void>
