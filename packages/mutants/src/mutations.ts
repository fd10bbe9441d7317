// The mutants of one statement. Each removes or weakens one guard.
import {
  at,
  isNode,
  means,
  type Node,
  parseExpression,
  parseStatement,
  type Path,
  renumberParameters,
  replaceAt,
  textOf,
  walk,
} from './tree.ts'

/** `name` says which guard is missing: `redemption: without "x.id = code.id"`. */
export type Mutation = { name: string; text: string; parameters: number[]; isFaithful: boolean }

type Change = { name: string; path: Path; value: unknown }

const BOUNDARIES: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
/** The time at which the statement began, before it waited for a lock. */
const STATEMENT_TIME = parseExpression('(statement_timestamp() + (select advance from clock))')
const [TRUE, FALSE] = [parseExpression('true'), parseExpression('false')]
const ONE = parseExpression('1')
const RECORDED_TABLES = new Set(['audit_event', 'callback_event'])

type Expression = { name?: { String?: { sval: string } }[]; kind?: string; boolop?: string; args?: Node[] }
const operatorOf = (node: Node) => (node['A_Expr'] as Expression | undefined)?.name?.at(-1)?.String?.sval
const boolOf = (node: Node) => node['BoolExpr'] as Expression | undefined
const functionOf = (node: Node) =>
  (node['FuncCall'] as { funcname: { String: { sval: string } }[] } | undefined)?.funcname.at(-1)?.String.sval

const isCondition = (node: Node): boolean =>
  'BoolExpr' in node ||
  'NullTest' in node ||
  ('SubLink' in node && (node['SubLink'] as { subLinkType: string }).subLinkType !== 'EXPR_SUBLINK') ||
  ('A_Expr' in node && ['=', '<>', '<', '<=', '>', '>='].includes(operatorOf(node)!))

/** Each condition of `a and b`, of `a or b`, or the only condition of a `where` or `on`. */
function* withoutConditions(node: Node, path: Path): Generator<Change> {
  const bool = boolOf(node)
  if (bool?.boolop === 'AND_EXPR' || bool?.boolop === 'OR_EXPR')
    for (const [index, argument] of bool.args!.entries()) {
      const name = `without "${textOf(argument)}"`
      const others = bool.args!.filter((_, other) => other !== index)
      if (others.length === 1) yield { name, path, value: others[0] }
      else yield { name, path: [...path, 'BoolExpr', 'args'], value: others }
    }
  for (const key of ['whereClause', 'quals', 'havingClause']) {
    const condition = node[key]
    if (!isNode(condition) || 'A_Const' in condition) continue
    if (boolOf(condition)?.boolop === 'AND_EXPR') continue
    const value = key === 'quals' ? TRUE : undefined
    yield { name: `without "${textOf(condition)}"`, path: [...path, key], value }
  }
  const columns = node['usingClause'] as { String: { sval: string } }[] | undefined
  if (columns && columns.length > 1)
    for (const [index, column] of columns.entries())
      yield {
        name: `without "using (${column.String.sval})"`,
        path: [...path, 'usingClause', index],
        value: undefined,
      }
}

function* withoutLocks(node: Node, path: Path): Generator<Change> {
  const locks = (node['lockingClause'] as Node[] | undefined) ?? []
  for (const [index, each] of locks.entries()) {
    const { strength, lockedRels = [] } = each['LockingClause'] as {
      strength: string
      lockedRels?: { RangeVar: { relname: string } }[]
    }
    const tables = lockedRels.map(({ RangeVar }) => RangeVar.relname).join()
    const name = `without the lock for ${strength.slice('LCS_FOR'.length).toLowerCase()} ${tables}`.trimEnd()
    const lock = [...path, 'lockingClause', index]
    yield { name, path: locks.length === 1 ? lock.slice(0, -1) : lock, value: undefined }
  }
  const called = functionOf(node)
  if (called?.startsWith('pg_advisory')) yield { name: `without ${called}`, path, value: ONE }
}

function* withOtherBounds(node: Node, path: Path): Generator<Change> {
  const operator = operatorOf(node)
  const other = operator && BOUNDARIES[operator]
  if (!other || (node['A_Expr'] as Expression).kind !== 'AEXPR_OP') return
  const value = replaceAt(node, ['A_Expr', 'name'], [{ String: { sval: other } }])
  yield { name: `"${textOf(node)}" with ${other}`, path, value }
}

/** Conditions that the statement returns, or chooses by. */
function* withConstants(node: Node, path: Path, isReturned: boolean): Generator<Change> {
  const target = node['ResTarget'] as { name?: string; val?: unknown } | undefined
  const choice = node['CaseWhen'] as { expr?: unknown } | undefined
  const [key, condition] = choice ? ['expr', choice.expr] : ['val', isReturned ? target?.val : undefined]
  if (!isNode(condition) || !isCondition(condition)) return
  for (const [text, value] of [
    ['true', TRUE],
    ['false', FALSE],
  ] as const) {
    const name = `${text} instead of "${textOf(condition)}"`
    yield { name, path: [...path, choice ? 'CaseWhen' : 'ResTarget', key], value }
  }
}

/** The time after the lock, as the statement's time. */
function* withEarlierTime(node: Node, path: Path): Generator<Change> {
  if (functionOf(node) === 'clock_now')
    yield { name: 'with the time before the lock', path, value: STATEMENT_TIME }
}

/** The rows are counted as if they were written. */
function* withoutRecord(node: Node, path: Path): Generator<Change> {
  const insert = node['InsertStmt'] as
    | { relation: { relname: string }; selectStmt: { SelectStmt: Node }; withClause?: Node }
    | undefined
  if (!insert || !RECORDED_TABLES.has(insert.relation.relname)) return
  const { SelectStmt } = insert.selectStmt
  if ('valuesLists' in SelectStmt) return
  const rows = { SelectStmt: { ...SelectStmt, targetList: [{ ResTarget: { val: ONE } }] } }
  if (insert.withClause) Object.assign(rows.SelectStmt, { withClause: insert.withClause })
  yield { name: `without the row of ${insert.relation.relname}`, path, value: rows }
}

/** The names of the CTEs around a path, the innermost last. */
const ctesAround = (tree: Node, path: Path): string[] =>
  path.flatMap((_, index) => {
    const cte = (at(tree, path.slice(0, index + 1)) as Node)['CommonTableExpr'] as
      | { ctename: string }
      | undefined
    return cte ? [cte.ctename] : []
  })

/** A statement that may wait for a lock. */
const LOCKS = /\bfor (no key )?(update|share)\b|^\s*(with[^]*)?\bupdate \w+|pg_advisory/

export function mutationsOf(original: string): Mutation[] {
  const tree = parseStatement(original)
  const names = new Map<string, number>()
  return changesOf(tree, LOCKS.test(original)).map(({ name, path, value }) => {
    const { tree: changed, parameters } = renumberParameters(replaceAt(tree, path, value))
    const count = (names.get(name) ?? 0) + 1
    names.set(name, count)
    const text = textOf(changed)
    return {
      name: count === 1 ? name : `${name} (${count})`,
      text,
      parameters,
      isFaithful: means(text, changed),
    }
  })
}

function changesOf(tree: Node, waits: boolean): Change[] {
  return [...walk(tree)].flatMap(({ node, path }) => {
    const ctes = ctesAround(tree, path)
    const isReturned = path.at(-2) === 'targetList' && !path.includes('UpdateStmt')
    const isTimeOfGuard = path.some((key) => ['whereClause', 'quals'].includes(String(key)))
    const changes = [
      ...withoutConditions(node, path),
      ...withoutLocks(node, path),
      ...withOtherBounds(node, path),
      ...withConstants(node, path, isReturned),
      ...(waits && (isTimeOfGuard || ctes.includes('lock_time')) ? withEarlierTime(node, path) : []),
      ...withoutRecord(node, path),
    ]
    const prefix = ctes.length ? `${ctes.at(-1)}: ` : ''
    return changes.map((change) => ({ ...change, name: prefix + change.name }))
  })
}
