// The mutants of the schema: a unique key without a column, a table without a check, a trigger that does not
// run, a function without a condition. Each is the migrated database after some DDL.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { mutationsOf } from './mutations.ts'
import { ROOT } from './places.ts'
import { isNode, type Node, parseFunction, parseScript, replaceAt, textOf, walk } from './tree.ts'

/** `name` is what is missing. `uses`: the texts of the statements that it concerns. */
type SchemaMutation = { file: string; name: string; ddl: string; uses: RegExp }

const MIGRATIONS = join(ROOT, 'apps/server/migrations')

type Constraint = { contype: string; keys?: { String: { sval: string } }[] }
const constraintsOf = (list: unknown): Constraint[] =>
  ((list as Node[] | undefined) ?? []).flatMap(({ Constraint }) =>
    Constraint ? [Constraint as Constraint] : [],
  )
const writesOf = (table: string, verbs = 'insert into|update') => new RegExp(`\\b(${verbs}) ${table}\\b`)

type Found = Omit<SchemaMutation, 'file'>

function* ofTable(node: Node): Generator<Found> {
  const { relation, tableElts } = node['CreateStmt'] as { relation: { relname: string }; tableElts: Node[] }
  const table = relation.relname
  const uses = writesOf(table)
  const drop = (constraint: string) => `alter table ${table} drop constraint if exists ${constraint}`
  for (const element of tableElts) {
    const column = element['ColumnDef'] as { colname: string; constraints?: Node[] } | undefined
    for (const { contype } of constraintsOf(column?.constraints)) {
      const key = `${table}_${column!.colname}`
      if (contype === 'CONSTR_UNIQUE')
        yield { name: `${table}: without unique (${column!.colname})`, ddl: drop(`${key}_key`), uses }
      if (contype === 'CONSTR_CHECK')
        yield { name: `${table}: without the check of ${column!.colname}`, ddl: drop(`${key}_check`), uses }
    }
    for (const { contype, keys = [] } of constraintsOf([element])) {
      const names = keys.map(({ String: { sval } }) => sval)
      const suffix = { CONSTR_UNIQUE: `${names.join('_')}_key`, CONSTR_PRIMARY: 'pkey' }[contype]
      if (!suffix || names.length < 2) continue
      for (const name of names) {
        const others = names.filter((other) => other !== name)
        const add = `alter table ${table} add constraint mutant_key unique (${others.join()})`
        yield {
          name: `${table}: ${name} is not in unique (${names.join()})`,
          ddl: `${drop(`${table}_${suffix}`)}; ${drop('mutant_key')}; ${add}`,
          uses,
        }
      }
    }
  }
}

function* ofFunction(node: Node, triggers: Node[]): Generator<Found> {
  const { funcname, options } = node['CreateFunctionStmt'] as {
    funcname: { String: { sval: string } }[]
    options: { DefElem: { defname: string; arg: Node } }[]
  }
  const name = funcname.at(-1)!.String.sval
  const tables = triggers.filter(({ function: called }) => called === name).map(({ table }) => table)
  const uses = tables.length
    ? writesOf(`(${tables.join('|')})`, 'insert into|update|delete from')
    : new RegExp(`\\b${name}\\(`)
  const index = options.findIndex(({ DefElem }) => DefElem.defname === 'as')
  const path = [
    'CreateFunctionStmt',
    'options',
    index,
    'DefElem',
    'arg',
    'List',
    'items',
    0,
    'String',
    'sval',
  ]
  const body = path.reduce<unknown>((each, key) => (each as Node)[key], node) as string
  const language = options.find(({ DefElem }) => DefElem.defname === 'language')!.DefElem.arg
  const isSql = (language['String'] as { sval: string }).sval === 'sql'
  for (const query of isSql ? [body.trim()] : queriesOf(node)) {
    // PL/pgSQL has expressions beside statements.
    const isExpression = !/^\s*(select|with|insert|update|delete)\b/i.test(query)
    if (query.includes(':=')) continue
    for (const mutation of mutationsOf(isExpression ? `select ${query}` : query)) {
      const text = isExpression ? mutation.text.replace(/^SELECT /, '') : mutation.text
      const changed = replaceAt(node, path, replaceQuery(body, query, text))
      const replacing = replaceAt(changed, ['CreateFunctionStmt', 'replace'], true)
      yield { name: `${name}: ${mutation.name}`, ddl: textOf(replacing), uses }
    }
  }
}

const escape = (word: string) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

/** The parser leaves out `into <variable>` of a query, which may also stand at its end. */
function replaceQuery(body: string, query: string, by: string): string {
  if (body.includes(query)) return body.replace(query, () => by)
  const words = query.trim().split(/\s+/).map(escape)
  const pattern = new RegExp(words.join(String.raw`\s+(?:(into \w+)\s+)?`))
  const into = pattern.exec(body)?.slice(1).find(Boolean)
  if (into === undefined) throw new Error(`not in its function: ${query}`)
  return body.replace(pattern, () => `${by} ${into}`)
}

/** The statements and expressions of a function in PL/pgSQL. */
const queriesOf = (node: Node): string[] => [
  ...new Set(
    [...walk(parseFunction(textOf(node)))].flatMap(({ node: { PLpgSQL_expr: expression } }) =>
      isNode(expression) ? [expression['query'] as string] : [],
    ),
  ),
]

function* ofTrigger({ name, table }: Node): Generator<Found> {
  const uses = writesOf(String(table), 'insert into|update|delete from')
  yield {
    name: `${String(table)}: without the trigger ${String(name)}`,
    ddl: `drop trigger if exists ${String(name)} on ${String(table)}`,
    uses,
  }
}

const triggersOf = (statements: Node[]): Node[] =>
  statements.flatMap(({ CreateTrigStmt }) => {
    if (!CreateTrigStmt) return []
    const { trigname, relation, funcname } = CreateTrigStmt as {
      trigname: string
      relation: { relname: string }
      funcname: { String: { sval: string } }[]
    }
    return [{ name: trigname, table: relation.relname, function: funcname.at(-1)!.String.sval }]
  })

export function schemaMutations(): SchemaMutation[] {
  return globSync('*.sql', { cwd: MIGRATIONS }).flatMap((path) => {
    const statements = parseScript(readFileSync(join(MIGRATIONS, path), 'utf8'))
    const triggers = triggersOf(statements)
    const found = [
      ...statements.flatMap((node) => ('CreateStmt' in node ? [...ofTable(node)] : [])),
      ...statements.flatMap((node) => ('CreateFunctionStmt' in node ? [...ofFunction(node, triggers)] : [])),
      ...triggers.flatMap((trigger) => [...ofTrigger(trigger)]),
    ]
    return found.map((each) => ({ file: `migrations/${basename(path)}`, ...each }))
  })
}
