// The mutants of the TypeScript code that guards. A file gets all of its mutants at once, and each asks at
// run time whether it is the active one, so that one process can run one mutant after the other:
//
//   if (code.expires_at < now) throw failure
//   if ((globalThis.isMutant("1a2b") ? (code.expires_at <= now) : (code.expires_at < now)))
//     { if (!globalThis.isMutant("3c4d")) throw failure }
//
// Code outside of any function runs once in a process, so it has no mutants; `guards.json` may have some.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { hashOf } from './hash.ts'
import { SERVER } from './places.ts'

/** Authentication, policies, tokens, encryption, keys, identities, webhooks, failures and fair queueing. */
const GUARDED = [
  'authentication/*.ts',
  'partners/{require-scope,allow-list,with-current-access,safe-url,partner-cache}.ts',
  'secrets/*.ts',
  'sso/*.ts',
  'citizens/citizen-encryption.ts',
  'network/addresses.ts',
  'webhooks/{send,connections,retry-schedule,webhook-secret}.ts',
  'http/{send-failure,admission,slots,fair-queue,concurrency-limit,partner-limits,reply,dispatch,compose}.ts',
  'http/{forwarded,check-headers,content-type,body,long-body,host}.ts',
  'http/{rate-limit-by-address,rate-limit-refused-credentials}.ts',
  'limits/*.ts',
  'database/unavailable.ts',
  'failure.ts',
]

/** `place`: `sso/store.ts:96`. `name`: what the mutant does. */
export type CodeMutant = { id: string; place: string; name: string }

type Node = { type: string; start: number; end: number; [key: string]: unknown }
/** A statement is left out; an expression is replaced by `text`. */
type Mutation = { name: string; text?: string }

const OTHER_OPERATOR: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
}
const OTHER_METHOD = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
])
const FUNCTIONS = /^(Function|ArrowFunction)/
/** The nodes of TypeScript that hold an expression. The others are types. */
const WRAPPERS = /^TS(As|NonNull|Satisfies)Expression$/
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 80)

/** `isTest`: the condition of an `if`, or of `a ? b : c`. `textOf`: the original text of a node. */
function mutationsOf(node: Node, isTest: boolean, textOf: (node: unknown) => string): Mutation[] {
  const { left, right, argument, value } = node
  const operator = String(node['operator'])
  const text = textOf(node)
  const decisions = [true, false].map((result) => ({
    name: `${result} instead of "${short(text)}"`,
    text: String(result),
  }))
  switch (node.type) {
    case 'LogicalExpression':
      return [
        { name: `without "${short(textOf(left))}" ${operator} ...`, text: textOf(right) },
        { name: `without ... ${operator} "${short(textOf(right))}"`, text: textOf(left) },
      ]
    case 'BinaryExpression': {
      const other = OTHER_OPERATOR[operator]
      const changed = `(${textOf(left)}) ${other} (${textOf(right)})`
      return other ? [{ name: `"${short(text)}" with ${other}`, text: changed }] : []
    }
    case 'UnaryExpression':
      return operator === '!' ? [{ name: `"${short(text)}" without !`, text: textOf(argument) }] : []
    case 'Literal':
      return typeof value === 'boolean'
        ? [{ name: `${!value} instead of ${value}`, text: String(!value) }]
        : []
    case 'ExpressionStatement':
      return node['directive'] ? [] : [{ name: `without "${short(text)}"` }]
    case 'ThrowStatement':
      return [{ name: `without "${short(text)}"` }]
    case 'ObjectExpression': {
      const properties = node['properties'] as Node[]
      const without = (removed: Node) => properties.filter((each) => each !== removed).map(textOf)
      return properties
        .filter(({ type }) => type === 'Property')
        .map((removed) => ({
          name: `without the property "${short(textOf(removed))}"`,
          text: `{ ${without(removed).join(', ')} }`,
        }))
    }
    case 'CallExpression': {
      const { property } = node['callee'] as { property?: Node }
      const other = property && OTHER_METHOD.get(textOf(property))
      const at = property && property.start - node.start
      const changed = other && text.slice(0, at) + other + text.slice(property.end - node.start)
      const swap = changed ? [{ name: `"${short(text)}" with ${other}`, text: changed }] : []
      return [...swap, ...(isTest ? decisions : [])]
    }
    default:
      return isTest ? decisions : []
  }
}

/** The children that can be mutated, each with its key. */
function childrenOf(node: Node): { child: Node; key: string }[] {
  const isLoop = /^(For|While|DoWhile)/.test(node.type)
  return Object.entries(node).flatMap(([key, value]) => {
    // A loop without its end would hang.
    if (isLoop && (key === 'test' || key === 'update')) return []
    const nodes = (Array.isArray(value) ? value : [value]).filter(isNode)
    return nodes
      .filter(({ type }) => !type.startsWith('TS') || WRAPPERS.test(type))
      .map((child) => ({ child, key }))
  })
}

/** The text of a file with all of its mutants. `file`: from the source folder of the service. */
export function mutate(file: string, source: string): { text: string; mutants: CodeMutant[] } {
  const mutants: CodeMutant[] = []
  const textOf = (node: unknown) => source.slice((node as Node).start, (node as Node).end)

  function add(node: Node, { name }: Mutation): string {
    const earlier = mutants.filter((mutant) => mutant.name === name).length
    const id = hashOf(`${file} ${name} ${earlier}`)
    mutants.push({ id, place: `${file}:${source.slice(0, node.start).split('\n').length}`, name })
    return `globalThis.isMutant("${id}")`
  }

  function write(node: Node, isInFunction: boolean, isTest: boolean): string {
    const mutations = isInFunction ? mutationsOf(node, isTest, textOf) : []
    const asked = mutations.map((mutation) => ({ ...mutation, isActive: add(node, mutation) }))
    let text = ''
    let at = node.start
    const isInner = isInFunction || FUNCTIONS.test(node.type)
    for (const { child, key } of childrenOf(node).toSorted((a, b) => a.child.start - b.child.start)) {
      if (child.start < at) continue // `{ name }` is its own key.
      const isChildTest = key === 'test' && /^(If|Conditional)/.test(node.type)
      text += source.slice(at, child.start) + write(child, isInner, isChildTest)
      at = child.end
    }
    text += source.slice(at, node.end)
    if (asked.length === 0) return text
    if (asked[0]!.text === undefined) return `{ if (!${asked[0]!.isActive}) ${text} }`
    return `(${asked.map((each) => `${each.isActive} ? (${each.text}) : `).join('')}(${text}))`
  }

  const program = parseAst(source, { lang: 'ts' }) as unknown as Node
  return {
    text: source.slice(0, program.start) + write(program, false, false) + source.slice(program.end),
    mutants,
  }
}

export const isGuarded = (file: string): boolean => GUARDED_FILES.has(file)
const GUARDED_FILES = new Set(globSync(GUARDED, { cwd: SERVER }))

export const codeMutants = (): CodeMutant[] =>
  [...GUARDED_FILES].flatMap((file) => mutate(file, readFileSync(join(SERVER, file), 'utf8')).mutants)
