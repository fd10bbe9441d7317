import { createHash } from 'node:crypto'

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
