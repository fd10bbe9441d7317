// Runs the samples that the reference shows beside each operation (`x-codeSamples`).
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OperationId } from '@tiwala/contract'
import { runCommandsOf } from '@tiwala/contract/run-commands'
import { exampleRequest, validRequest } from '../src/kit/valid-requests.ts'
import type { Sandbox } from './sandbox.ts'
import { run } from './shell.ts'

type Sample = { operationId: OperationId; source: string }

/** The samples of a language, from the document that the sandbox serves. */
async function readSamples({ url }: Sandbox, lang: string): Promise<Sample[]> {
  type Operation = { operationId: OperationId; 'x-codeSamples': { lang: string; source: string }[] }
  const document = (await (await fetch(`${url}/openapi/partner.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .map(({ operationId, 'x-codeSamples': samples }) => {
      return { operationId, source: samples.find((sample) => sample.lang === lang)!.source }
    })
}

/**
 * Runs every sample of a language in an empty folder, with the commands that the documentation shows. Throws
 * if one of them gets no success response.
 */
export async function runSamples(sandbox: Sandbox, lang: string, folder: string): Promise<void> {
  const samples = await readSamples(sandbox, lang)
  const setup = runCommandsOf(lang, samples[0]!.operationId)?.setup
  if (setup) await run(setup.replace('http://localhost:8080', sandbox.url), folder)
  for (const { operationId, source } of samples) {
    const { text, env } = await withNewValues(operationId, source, sandbox)
    const commands = runCommandsOf(lang, operationId)
    if (commands) await writeFile(join(folder, commands.file), text)
    const output = await run(commands?.run ?? text, folder, env)
    const isRefusal = /"status":[45]\d\d,"message"/.test(output)
    if (isRefusal || output.trim() === '')
      throw new Error(`The ${lang} sample of ${operationId} got:\n${output}\n${text}`)
  }
}

/** Replaces the values of the example, of which most work once, and sets the variables of the credentials. */
async function withNewValues(id: OperationId, source: string, { actors }: Sandbox) {
  const [example, { headers, path, query, fields }] = [exampleRequest(id), await validRequest(id, actors)]
  const values = { ...path, ...Object.fromEntries(new URLSearchParams(query)), ...fields }
  let text = source
  for (const [name, value] of Object.entries(values))
    text = text.replaceAll(String(example[name]), String(value))
  const { secret_code, secret_token, partner_code, partner_secret } = actors.partner.credentials
  const env = {
    TIWALA_SECRET_CODE: secret_code,
    TIWALA_SECRET_TOKEN: secret_token,
    TIWALA_PARTNER_CODE: partner_code,
    TIWALA_PARTNER_SECRET: partner_secret,
    ACCESS_TOKEN: headers['Authorization']?.replace('Bearer ', '') ?? '',
  }
  return { text, env }
}
