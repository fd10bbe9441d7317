// Runs packages/client/LANGUAGES.md as a reader would: saves each file and runs each command, in the order of
// the page.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from '../repository/files.ts'
import { run } from './shell.ts'

type Step = { file: string; text: string } | { commands: string }

/** What every program prints: what it got from the sandbox. */
const PRINTED = ['Profile: ', 'Signed in: ', 'Error: tracking_no_not_found', 'Event: ']

/** The steps of each section of the page, by its heading. */
export async function readRecipes(sandboxUrl: string): Promise<Map<string, Step[]>> {
  const page = await readFile(join(ROOT, 'packages/client/LANGUAGES.md'), 'utf8')
  const sections = page.replaceAll('http://localhost:8080', sandboxUrl).split(/^## /m).slice(1)
  return new Map(sections.map((section) => [section.split('\n', 1)[0]!, stepsOf(section)]))
}

function stepsOf(section: string): Step[] {
  const blocks = section.matchAll(/(?:^Save as `([^`]+)`:\n\n)?^```(\w+)\n(.*?)^```$/gms)
  return [...blocks].map(([, file, language, text]) => {
    if (file) return { file, text: text! }
    if (language === 'sh' && /^cd /m.test(text!))
      throw new Error(`The next block of LANGUAGES.md starts in the folder that this block leaves:\n${text}`)
    if (language === 'sh') return { commands: text! }
    throw new Error(`LANGUAGES.md does not say where to save this ${language} block:\n${text}`)
  })
}

/** Runs the steps and returns what they printed. */
export async function follow(steps: readonly Step[], folder: string): Promise<string> {
  let output = ''
  for (const step of steps) {
    if ('commands' in step) output += await run(step.commands, folder)
    else {
      await mkdir(dirname(join(folder, step.file)), { recursive: true })
      await writeFile(join(folder, step.file), step.text)
    }
  }
  return output
}

/** Checks that the program of a recipe has made both journeys, and got its error and event. Shows them. */
export function checkJourneys(output: string): void {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => PRINTED.some((text) => line.startsWith(text)))
  const absent = PRINTED.filter((text) => !lines.some((line) => line.startsWith(text)))
  if (absent.length > 0 || output.includes('not accepted'))
    throw new Error(`The program did not print: ${absent.join(', ')}\n${output.slice(-2_000)}`)
  for (const line of lines) console.log(`  ${line}`)
}
