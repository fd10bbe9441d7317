import { randomUUID } from 'node:crypto'
import { Option } from 'commander'
import type { Input, Options } from './command-context.ts'
import { type OperationId, requestBodyOf } from './document.ts'
import { type Io, readJson } from './io.ts'
import { needsFile, parametersOf } from './parameters.ts'
import { NULL } from './parse-value.ts'
import { UsageError } from './usage-error.ts'

/** Builds the path, query, headers and body of the request from the arguments and options of the command. */
export async function buildInput(io: Io, id: OperationId, args: unknown[], options: Options): Promise<Input> {
  const body = requestBodyOf(id) && { body: await bodyFromFile(io, id, options) }
  const input: Record<string, unknown> = { path: {}, query: {}, ...body }
  const optionValues = options as Record<string, unknown>
  const remainingArgs = [...args]
  for (const { inputPath, name } of parametersOf(id)) {
    const value = inputPath[0] === 'path' ? remainingArgs.shift() : optionValues[attributeNameOf(name)]
    if (name === 'idempotency-key') setIn(input, inputPath, value ?? randomUUID())
    else if (value !== undefined) setIn(input, inputPath, value === NULL ? null : value)
  }
  const minFields = requestBodyOf(id)?.schema.minProperties ?? 0
  if (Object.keys(input['body'] ?? {}).length < minFields)
    throw new UsageError('Nothing to change: pass at least one option.')
  return input
}

/** Reads a JSON body. The handler of the command reads an NDJSON file itself, while it sends the lines. */
async function bodyFromFile(io: Io, id: OperationId, { file }: Options): Promise<unknown> {
  return needsFile(id) && requestBodyOf(id)!.type === 'application/json' ? readJson(io, file!) : {}
}

function setIn(target: Record<string, unknown>, [name, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[name!] = value
  else setIn((target[name!] ??= {}) as Record<string, unknown>, rest, value)
}

/** The key under which commander stores the value of an option. */
const attributeNameOf = (name: string): string => new Option(`--${name}`).attributeName()
