import { Option } from 'commander'
import type { Input, Options } from './command-context.ts'
import { requestBodyOf, type OperatorId } from './document.ts'
import { type Io, readJson } from './io.ts'
import { needsFile, parametersOf } from './parameters.ts'
import { NULL } from './parse-value.ts'
import { UsageError } from './usage-error.ts'

/** What was typed, where the operation wants it. */
export async function buildInput(io: Io, id: OperatorId, args: unknown[], options: Options): Promise<Input> {
  const parts: Record<string, unknown> = { path: {}, query: {}, ...(requestBodyOf(id) && { body: await bodyFromFile(io, id, options) }) }
  const typed = options as Record<string, unknown>
  const positional = [...args]
  for (const { inputPath, name } of parametersOf(id)) {
    const value = inputPath[0] === 'path' ? positional.shift() : typed[keyOf(name)]
    if (value !== undefined) put(parts, inputPath, value === NULL ? null : value)
  }
  const fewest = requestBodyOf(id)?.schema.minProperties ?? 0
  if (Object.keys(parts['body'] ?? {}).length < fewest) throw new UsageError('Say what is to be: give one option at least.')
  return parts
}

/** Lines of JSON are read while they are sent. */
async function bodyFromFile(io: Io, id: OperatorId, { file }: Options): Promise<unknown> {
  return needsFile(id) && requestBodyOf(id)!.type === 'application/json' ? readJson(io, file!) : {}
}

function put(into: Record<string, unknown>, [name, ...further]: string[], value: unknown): void {
  if (further.length === 0) into[name!] = value
  else put((into[name!] ??= {}) as Record<string, unknown>, further, value)
}

/** Under which commander keeps an option. */
const keyOf = (name: string): string => new Option(`--${name}`).attributeName()
