/** Events and checkpoints are numbered, and a page ends at a number. */
export const locateNumber = (cursor: string): number | undefined => (/^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined)
