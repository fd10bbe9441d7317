import type { Shape } from '@tiwala/contract/partner'

/** Whether a value has at least the fields of the shape, with their types. */
export function hasShape(value: unknown, shape: Shape): boolean {
  if (isList(shape)) return shape.some((alternative) => hasShape(value, alternative))
  if (typeof shape === 'number') return value === shape
  if (typeof shape === 'string') return shape === 'null' ? value === null : typeof value === shape
  const items = shape['[]']
  if (items !== undefined) return Array.isArray(value) && value.every((item) => hasShape(item, items))
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  return Object.entries(shape).every(([name, field]) => hasShape(fields[name], field))
}

/** `Array.isArray` does not narrow a readonly list. */
const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape)
