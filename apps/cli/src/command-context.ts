import type { Command } from 'commander'
import type { ConnectOptions, OperatorTransport } from './connect.ts'
import type { OperationId } from './document.ts'
import type { Io } from './io.ts'
import type { Output } from './print-value.ts'

export type Input = {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
}
/** The options that do not come from the operator document. */
export type Options = ConnectOptions & {
  output: Output
  all?: boolean
  yes?: boolean
  file?: string
  append?: boolean
  from?: string
  to?: string
  resume?: boolean
  dryRun?: boolean
  watch?: string | true
  pager?: boolean
  independent?: boolean
  export?: string
  keys?: string
  kept?: string
  replay?: string
}

/** Everything that a command handler needs. */
export type CommandContext = {
  id: OperationId
  io: Io
  input: Input
  options: Options
  connect(): Promise<OperatorTransport>
}

/** Runs one command. It returns the exit code; nothing means 0. */
export type CommandHandler = (context: CommandContext) => Promise<number | void>

/** A command that differs from what follows from the document. */
export type CommandOverride = {
  /** Replaces the description in the document, which is written for programs. */
  description?: string
  /** Values for required options that the administrator leaves out. */
  defaults?: Record<string, unknown>
  addOptions?: (command: Command) => void
  handle: CommandHandler
}
