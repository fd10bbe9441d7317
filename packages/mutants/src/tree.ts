// The syntax tree of a statement, as PostgreSQL's own parser gives it: each node is an object with one key,
// its kind.
import { isDeepStrictEqual } from 'node:util'
import * as parser from 'libpg-query'
import { deparseSync } from 'pgsql-deparser'

export type Node = { [key: string]: unknown }
export type Path = (string | number)[]

await parser.loadModule()

export const parseStatement = (text: string): Node => {
  const { stmts } = parser.parseSync(text)
  if (stmts?.length !== 1) throw new Error(`not one statement: ${text}`)
  return stmts[0]!.stmt as Node
}
export const parseScript = (text: string): Node[] =>
  parser.parseSync(text).stmts!.map(({ stmt }) => stmt as Node)
export const parseExpression = (text: string): Node => {
  const { SelectStmt } = parseStatement(`select ${text}`) as { SelectStmt: { targetList: Node[] } }
  return (SelectStmt.targetList[0] as { ResTarget: { val: Node } }).ResTarget.val
}
export const textOf = (node: Node): string => deparseSync(node, { pretty: false })

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every object and list of the tree with its path, parents first. */
export function* walk(node: Node, path: Path = []): Generator<{ node: Node; path: Path }> {
  yield { node, path }
  for (const [key, child] of Object.entries(node))
    if (isNode(child)) yield* walk(child, [...path, Array.isArray(node) ? Number(key) : key])
}

export const at = (tree: Node, path: Path): unknown =>
  path.reduce<unknown>((node, key) => (node as Node)[key], tree)

/** A copy of the tree with another value at the path. `undefined` removes a key, or an item of a list. */
export function replaceAt(tree: Node, path: Path, value: unknown): Node {
  if (path.length === 0) return value as Node
  const copy = structuredClone(tree)
  const parent = at(copy, path.slice(0, -1)) as Node
  const key = path.at(-1)!
  if (value !== undefined) parent[key] = value
  else if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
  return copy
}

/**
 * Numbers the parameters that a changed tree still has from 1, and returns their positions in the original:
 * PostgreSQL refuses gaps.
 */
export function renumberParameters(tree: Node): { tree: Node; parameters: number[] } {
  const copy = structuredClone(tree)
  const references = [...walk(copy)].flatMap(({ node }) =>
    isNode(node['ParamRef']) ? [node['ParamRef'] as { number: number }] : [],
  )
  const parameters = [...new Set(references.map(({ number }) => number))].toSorted((a, b) => a - b)
  for (const reference of references) reference.number = parameters.indexOf(reference.number) + 1
  return { tree: copy, parameters }
}

/** Positions in the text: two texts of one statement differ in them. */
const POSITION = /^(stmt_len|(\w+_)?location|rexpr_list_(start|end))$/

const withoutPositions = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPositions)
  if (!isNode(value)) return value
  const keys = Object.keys(value).filter((key) => !POSITION.test(key))
  return Object.fromEntries(keys.map((key) => [key, withoutPositions(flat(value)[key])]))
}

/** `(a and b) and c` is `a and b and c`: PostgreSQL's parser makes them one list if they stand so. */
function flat(node: Node): Node {
  const { boolop, args } = node as { boolop?: string; args?: Node[] }
  if (!boolop || !args) return node
  const parts = args.flatMap((each) => {
    const inner = each['BoolExpr'] as { boolop: string; args: Node[] } | undefined
    return inner?.boolop === boolop && boolop !== 'NOT_EXPR' ? (flat(inner)['args'] as Node[]) : [each]
  })
  return { ...node, args: parts }
}

/** Whether the text means exactly this tree. */
export const means = (text: string, tree: Node): boolean =>
  isDeepStrictEqual(withoutPositions(parseStatement(text)), withoutPositions(tree))

/** The tree of a function in PL/pgSQL. */
export const parseFunction = (text: string): Node => parser.parsePlPgSQLSync(text) as unknown as Node
