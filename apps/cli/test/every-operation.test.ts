import { type OperatorOperations, routes } from '@tiwala/contract'
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { resolve as resolveIn } from '@tiwala/contract/references'
import { describe, expect, test } from 'vitest'
import { commands } from '../src/commands.ts'
import { columnsOf, isList } from '../src/document.ts'
import { tiwala } from './tiwala.ts'

type Schema = { $ref?: string; properties?: Record<string, Schema>; allOf?: unknown; oneOf?: unknown }
type Parameter = { $ref?: string; name: string; in: string }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }

const IDS = Object.keys(routes.operator) as (keyof OperatorOperations)[]

function operationOf(id: keyof OperatorOperations): Operation {
  const { method, path } = routes.operator[id]
  return (operator.paths as unknown as Record<string, Record<string, Operation>>)[path]![method]!
}

const resolve = <T extends object>(node: T): T => resolveIn(operator, node)

/** The names of all body fields that options can set. A field with a whole document is not one of them. */
const fieldsOf = (schema: Schema): string[] =>
  Object.entries(resolve(schema).properties ?? {}).flatMap(([name, field]) =>
    resolve(field).allOf || resolve(field).oneOf || name === 'profile'
      ? []
      : resolve(field).properties
        ? fieldsOf(field)
        : [name],
  )

describe.each(IDS)('%s', (id) => {
  test('its help shows every parameter and body field of the document', async () => {
    const { exitCode, stdout, stderr } = await tiwala([...commands[id].split(' '), '--help'])
    expect([exitCode, stderr]).toEqual([0, ''])
    const { parameters = [], requestBody } = operationOf(id)
    const names = [
      ...parameters.map(resolve).flatMap((each) => (each.in === 'header' ? [] : [each.name])),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema)),
    ]
    const noun = commands[id].split(' ')[0]
    for (const name of names) {
      const tail = name
        .replace(new RegExp(`^${noun}_`), '')
        .replace(/s$/, '')
        .replaceAll('_', '-')
      expect(stdout).toMatch(new RegExp(`(--|<)([a-z]+-)*${tail}`))
    }
  })
})

describe('commands', () => {
  test('each operation has its own command', () => {
    expect(new Set(Object.values(commands)).size).toBe(IDS.length)
  })

  test('the main help shows the exit codes and the environment variables', async () => {
    const { stdout } = await tiwala(['--help'])
    for (const text of ['TIWALA_OPERATOR_URL', 'TIWALA_OPERATOR_TOKEN', '4  the audit is not intact'])
      expect(stdout).toContain(text)
    for (const command of Object.values(commands)) expect(stdout).toContain(command.split(' ')[0]!)
  })

  test('each list is a table by default, and JSON with --json', async () => {
    const lists = IDS.filter((id) => isList(id) && !routes.operator[id].path.includes('{'))
    expect(lists.length).toBeGreaterThan(5)
    for (const id of lists) {
      const argv = commands[id].split(' ')
      const [table, json] = [await tiwala(argv), await tiwala([...argv, '--json'])]
      expect([table.exitCode, json.exitCode]).toEqual([0, 0])
      const [first] = columnsOf(id)
      expect(table.stdout === '' || table.stdout.startsWith(first!.replaceAll('_', ' ').toUpperCase())).toBe(
        true,
      )
      expect(JSON.parse(json.stdout)).toBeTypeOf('object')
    }
  })
})
