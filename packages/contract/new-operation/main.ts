// `npm run spec:new-operation`: writes everything that a new operation needs, with a place named DECIDE_...
// for each decision of its author. The spec is not valid and the code does not compile until each place is
// complete.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { addPath, addRow, nearest } from './insert.ts'
import { kebab, METHODS, pathFile, template } from './templates.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DOCUMENTS = ['partner', 'citizen-app', 'operator']
/** The form of each answer, and an example of it. */
const QUESTIONS = {
  document: [new RegExp(`^(${DOCUMENTS.join('|')})$`), DOCUMENTS.join(', ')],
  operation: [/^[a-z][A-Za-z]+$/, 'its operationId: a verb and a noun, such as listReceipts'],
  method: [new RegExp(`^(${METHODS.join('|')})$`), METHODS.join(', ')],
  path: [/^(\/[\w-]+|\/\{\w+\})+$/, 'such as /receipts/{receipt_id}, without the base path of the document'],
} as const
const FOR_PARTNERS = '\n5. spec/CHANGELOG.md: what partners can do with it; packages/client: a method'
type Answers = Record<keyof typeof QUESTIONS, string>

try {
  newOperation(await readAnswers())
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function readAnswers(): Promise<Answers> {
  const names = Object.keys(QUESTIONS) as (keyof Answers)[]
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  const given = parseArgs({ options }).values as Partial<Answers>
  const terminal = createInterface(process.stdin)
  const lines = terminal[Symbol.asyncIterator]()
  for (const name of names) {
    const [form, hint] = QUESTIONS[name]
    if (given[name] === undefined) process.stdout.write(`${name} (${hint}): `)
    const line = given[name] ?? (await lines.next()).value
    given[name] = line?.trim() ?? ''
    if (!form.test(given[name])) throw new Error(`--${name} is not valid: ${given[name]}. Give ${hint}.`)
  }
  terminal.close()
  return given as Answers
}

function newOperation({ document, operation, method, path }: Answers): void {
  const index = `spec/${document}/openapi.yaml`
  const [name, indexText] = [kebab(operation), read(index)]
  if (globSync(`spec/*/paths/${name}.yaml`, { cwd: ROOT }).length)
    throw new Error(`The operation ${operation} exists. Choose another operationId.`)
  const neighbor = nearest(indexText, path)
  const [neighborFile] = globSync(`apps/server/src/**/${neighbor}.ts`, { cwd: ROOT })
  if (!neighborFile) throw new Error(`The server has no file ${neighbor}.ts, which should be the neighbor.`)
  const code = join(dirname(neighborFile), `${name}.ts`)
  const test = `apps/contract-tests/src/operations/${name}.test.ts`
  const root = `${relative(dirname(neighborFile), 'apps/server/src') || '.'}/`

  const changed = {
    [`spec/${document}/paths/${name}.yaml`]: pathFile({
      document,
      operation,
      method,
      path,
      index: indexText,
    }),
    [index]: addPath(indexText, path, method, name),
    [code]: template('operation.ts.txt', { operationId: operation, root }),
    'apps/server/src/operations.ts': addRow(read('apps/server/src/operations.ts'), document, operation, code),
    [test]: template('test.ts.txt', { operationId: operation }),
    // The changelog is for partners. They do not see the other documents.
    ...(document === 'partner' && {
      'spec/CHANGELOG.md': read('spec/CHANGELOG.md').replace(
        /^## .+\n\n/m,
        (heading) => heading + template('changelog-line.txt', { operationId: operation }),
      ),
    }),
  }
  for (const [file, text] of Object.entries(changed)) {
    console.log(`${existsSync(join(ROOT, file)) ? 'changed' : 'created'}  ${file}`)
    writeFileSync(join(ROOT, file), text)
  }
  console.log(`
Next, in this order. Each step fails until every DECIDE_... in its files is replaced:

1. npm run spec:lint   spec/${document}/paths/${name}.yaml: texts, schemas, examples, refusals
2. npm run generate    makes the types and the route of the operation
3. npm run types       ${code}: the function
                       apps/server/src/operations.ts: its policy
                       ${test}: what is guaranteed
4. npm run test:one -- ${name}${document === 'partner' ? FOR_PARTNERS : ''}`)
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
