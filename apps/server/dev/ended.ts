import type { ChildProcess } from 'node:child_process'

export const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** How the process has ended: by a signal, or with an exit code. */
export const endOf = ({ exitCode, signalCode }: ChildProcess) => signalCode ?? `exit code ${exitCode}`
