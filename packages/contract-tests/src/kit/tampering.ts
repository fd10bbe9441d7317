// What a tampering is.
import type { Schemas } from '@tiwala/contract'

export type Leaf = { checkpoint: number; position: number; event_id: number }
/** Two leaves of one checkpoint, `a` before `b` and not next to it; `last` is its last position. */
export type Target = { a: Leaf; b: Leaf; last: number }

export type Tampering = { how: string; act: (target: Target) => string[]; found: (target: Target) => Partial<Schemas['AuditFault']> }

/** Exchanges columns of two rows. */
export const exchange = (table: string, key: string, columns: string, one: number, other: number) => {
  const sets = columns.split(', ').map((column) => `${column} = o.${column}`)
  return [
    `update ${table} t set ${sets.join(', ')} from ${table} o where t.${key} in (${one}, ${other}) and o.${key} = ${one} + ${other} - t.${key}`,
  ]
}
