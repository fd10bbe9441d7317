// `npm run test:languages`: clients in other languages, generated, compiled and run against a new sandbox. It
// needs the network and the tools of each language, installs nothing into the project, and takes minutes.
// Without Packagist, set COMPOSER_HOME to a folder whose config.json names other repositories of packages.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runGenerators } from './generators.ts'
import { checkJourneys, follow, readRecipes } from './recipes.ts'
import { runSamples } from './samples.ts'
import { startSandbox } from './sandbox.ts'
import { missing, run } from './shell.ts'

type Check = { tools: string[]; run: () => Promise<void> }

const recipe = (heading: string, ...tools: string[]): Check => ({
  tools: ['java', ...tools],
  run: async () => {
    const output = await follow(recipes.get(heading)!, folder)
    checkJourneys(output)
    await checkTypes(output)
  },
})
const samples = (lang: string, ...tools: string[]): Check => ({
  tools,
  run: async () => runSamples(sandbox, lang, await mkdtemp(join(folder, 'samples-'))),
})
const CHECKS: Record<string, Check> = {
  python: recipe('Python', 'python3'),
  go: recipe('Go', 'go'),
  java: recipe('Java', 'mvn'),
  kotlin: recipe('Kotlin', 'mvn'),
  php: recipe('PHP', 'php', 'composer'),
  csharp: recipe('C#', 'dotnet'),
  'samples-javascript': samples('JavaScript', 'node', 'npm'),
  'samples-curl': samples('Shell', 'curl'),
  'samples-python': samples('Python', 'python3'),
  'samples-go': samples('Go', 'go'),
  'samples-java': samples('Java', 'java'),
  'samples-php': samples('PHP', 'php'),
  'samples-csharp': samples('C#', 'dotnet'),
  generators: {
    tools: ['java', 'npm', 'go', 'python3'],
    run: async () => checkTypes(await runGenerators(folder)),
  },
}
/**
 * Warnings of openapi-generator that lose no type. The second one names the class of errors `ModelError`. The third one leaves an
 * example out of a comment.
 */
const HARMLESS =
  /Failed to get the schema name: null|\(model name matches existing language type\)|Ignoring complex example on request body/

const options = {
  only: { type: 'string', multiple: true },
  skip: { type: 'string', multiple: true },
} as const
const { only = Object.keys(CHECKS), skip = [] } = parseArgs({ options }).values
const unknown = [...only, ...skip].filter((name) => !(name in CHECKS))
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}. Write one of ${Object.keys(CHECKS).join(', ')}.`)
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'tiwala-languages-'))
const sandbox = await startSandbox()
const recipes = await readRecipes(sandbox.url)
try {
  await follow(recipes.get('Before you begin')!, folder)
  for (const name of only)
    if (skip.includes(name)) console.log(`${name}: SKIPPED, as --skip ${name} says`)
    else await runCheck(name, CHECKS[name]!)
} finally {
  await sandbox.stop()
  await rm(folder, { recursive: true })
}

async function runCheck(name: string, check: Check): Promise<void> {
  const start = performance.now()
  try {
    const absent = await missing(check.tools)
    if (absent.length > 0) throw new Error(`Install ${absent.join(' and ')}, or write --skip ${name}.`)
    await check.run()
    console.log(`${name}: passed in ${Math.round((performance.now() - start) / 1000)} s`)
  } catch (error) {
    console.error(`${name}: FAILED. ${(error as Error).message}`)
    process.exitCode = 1
  }
}

/** No generator has lost a type or made up a name for it. */
async function checkTypes(output: string): Promise<void> {
  const lines = output.split('\n')
  const warnings = lines.filter((line) => /\bWARN|\[main\] ERROR/i.test(line) && !HARMLESS.test(line))
  if (warnings.length > 0) throw new Error(`A generator warned:\n${warnings.join('\n')}`)
  const exclude = '--exclude-dir={node_modules,venv,.venv}'
  const unnamed = await run(`grep -rlI ${exclude} InlineObject . || true`, folder)
  if (unnamed !== '') throw new Error(`These files have a class called InlineObject:\n${unnamed}`)
}
