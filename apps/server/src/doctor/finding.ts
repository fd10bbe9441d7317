import { describeError } from '../describe-error.ts'

/** One line of the doctor. `problem`: something is wrong, and the text says what to do. `note`: no fault. */
export type Finding = { about: string; status: 'ok' | 'note' | 'problem'; text: string }

export const ok = (about: string, text: string): Finding => ({ about, status: 'ok', text })
export const note = (about: string, text: string): Finding => ({ about, status: 'note', text })
export const problem = (about: string, text: string): Finding => ({ about, status: 'problem', text })

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : describeError(error).name
