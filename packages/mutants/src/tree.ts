// The syntax tree of a statement, as PostgreSQL's own parser gives it: each node is an object with one key,
// its kind.
import parser from 'libpg-query'
import deparser from 'pgsql-deparser'

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
export const textOf = (node: Node): string => deparser.deparseSync(node as never).replaceAll(/\s+/g, ' ')

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

/** Whether the text means exactly this tree. */
export function means(text: string, tree: Node): boolean {
  const bare = (node: Node) =>
    JSON.stringify(node, (key, value: unknown) =>
      /^(location|stmt_len|.*_location)$/.test(key) ? undefined : value,
    )
  return bare(parseStatement(text)) === bare(tree)
}
