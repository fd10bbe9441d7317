// Mutants that no test can kill, because the statement guarantees the same without the part. Each has its
// reason. A `statement` of `*` is any statement.
type Equivalent = { statement: RegExp | '*'; name: RegExp | string; reason: string }

export const EQUIVALENTS: Equivalent[] = []

export const equivalentReason = (statement: string, name: string): string | undefined =>
  EQUIVALENTS.find(
    (each) =>
      (each.statement === '*' || each.statement.test(statement)) &&
      (typeof each.name === 'string' ? each.name === name : each.name.test(name)),
  )?.reason
