// The type of a tampering.
import type { Schemas } from '@tiwala/contract'

export type Leaf = { checkpoint: number; position: number; event_id: number }
/**
 * Two leaves of one checkpoint: `a` is before `b`, with leaves between them. `last` is the last position of
 * the checkpoint.
 */
export type Target = { a: Leaf; b: Leaf; last: number }

export type Tampering = {
  how: string
  act: (target: Target) => string[]
  found: (target: Target) => Partial<Schemas['AuditFault']>
}

/** Exchanges columns of two rows. */
export const exchange = (table: string, key: string, columns: string, one: number, other: number) => {
  const sets = columns.split(', ').map((column) => `${column} = o.${column}`)
  return [
    `update ${table} t set ${sets.join(', ')} from ${table} o
      where t.${key} in (${one}, ${other}) and o.${key} = ${one} + ${other} - t.${key}`,
  ]
}
