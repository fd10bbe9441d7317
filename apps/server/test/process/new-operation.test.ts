// `npm run spec:new-operation` over a copy of the repository.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { copySourceTree } from '../kit/source-tree.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

const TREE = [
  'tsconfig.base.json',
  'redocly.yaml',
  'spec',
  'packages/contract',
  'apps/contract-tests/package.json',
  'apps/contract-tests/src/operations/read-partner.test.ts',
  'apps/server/package.json',
  'apps/server/src',
]
const ANSWERS = [
  ['--document', 'partner'],
  ['--operation', 'listReceipts'],
  ['--method', 'post'],
  ['--path', '/api/pub/receipts/{tracking_no}/{receipt_id}'],
].flat()
const NAME = 'list-receipts'
const PATH_FILE = `spec/partner/paths/${NAME}.yaml`
const CODE = `apps/server/src/authorizations/requests/${NAME}.ts`
const TEST = `apps/contract-tests/src/operations/${NAME}.test.ts`

const exec = promisify(execFile)

test('it writes every file of an operation, and the checks name the open places', async () => {
  await using folder = await temporaryFolder()
  const tree = folder.path
  await copySourceTree(tree, TREE)
  const run = (...args: string[]) => exec(process.execPath, args, { cwd: tree })
  const read = (file: string) => readFile(join(tree, file), 'utf8')

  const { stdout } = await run('packages/contract/new-operation/main.ts', ...ANSWERS)
  for (const created of [PATH_FILE, CODE, TEST]) expect(stdout).toContain(`created  ${created}\n`)
  expect(await read('spec/partner/openapi.yaml')).toContain(
    '  /api/pub/receipts/{tracking_no}/{receipt_id}:\n    post: { $ref: paths/list-receipts.yaml }\n',
  )
  expect(await read('spec/CHANGELOG.md')).toMatch(/^## [\d.]+\n\n- `listReceipts`: DECIDE_/m)
  await expect(run('packages/contract/new-operation/main.ts', ...ANSWERS)).rejects.toMatchObject({
    code: 1,
    stderr: 'The operation listReceipts exists. Choose another operationId.\n',
  })

  const failed: unknown = await run('packages/contract/generate.ts').catch((error: unknown) => error)
  const { code, stderr } = failed as { code: number; stderr: string }
  expect(code).toBe(1)
  for (const schema of ['DECIDE_THE_SCHEMA_OF_THE_REQUEST', 'DECIDE_THE_SCHEMA'])
    expect(stderr).toMatch(new RegExp(`^${PATH_FILE}:\\d+:\\d+ reference\\n.*/schemas/${schema}\\.$`, 'm'))

  // Only the files of the operation, so that the check is fast.
  const tsconfig = {
    extends: '../../tsconfig.base.json',
    files: ['src/operations.ts', `../../${TEST}`],
  }
  await writeFile(join(tree, 'apps/server/tsconfig.json'), JSON.stringify(tsconfig))
  const { stdout: errors } = await run('node_modules/typescript/bin/tsc', '-p', 'apps/server').catch(
    (error: { stdout: string }) => error,
  )
  const missing = [...errors.matchAll(/^(.+)\(\d+,\d+\): error TS2304: Cannot find name '(DECIDE_\w+)'/gm)]
  expect(new Set(missing.map(([, file, name]) => `${file}: ${name}`))).toEqual(
    new Set([
      `${CODE}: DECIDE_THE_REPLY`,
      'apps/server/src/operations.ts: DECIDE_THE_SCOPE',
      'apps/server/src/operations.ts: DECIDE_THE_RATE_LIMIT',
      'apps/server/src/operations.ts: DECIDE_WHETHER_IT_COUNTS_DAILY',
      `${TEST}: DECIDE_THE_REQUEST`,
      `${TEST}: DECIDE_THE_BODY`,
      `${TEST}: DECIDE_THE_CODE`,
    ]),
  )
})
