/** One line of the doctor. `mend`: something is wrong, and the text says what to do. `note`: no fault. */
export type Finding = { about: string; status: 'ok' | 'note' | 'mend'; text: string }

export const ok = (about: string, text: string): Finding => ({ about, status: 'ok', text })
export const note = (about: string, text: string): Finding => ({ about, status: 'note', text })
export const mend = (about: string, text: string): Finding => ({ about, status: 'mend', text })

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
