/**
 * What a value must be: a type, a number, an object with at least these fields, a list (`'[]'` is the shape
 * of its items), or one of several alternatives.
 */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | number
  | readonly Shape[]
  | { readonly [field: string]: Shape }

/** What a success of an operation must have, so that its types hold. */
export type ResponseShape = { readonly headers: readonly string[]; readonly body: Shape }
