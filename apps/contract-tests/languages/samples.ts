// Runs the samples that the reference shows beside each operation (`x-codeSamples`).
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPartnerClient, createSsoClient, TiwalaError } from '@tiwala/client'
import { runCommandsOf } from '@tiwala/contract/run-commands'
import type { Sandbox } from './sandbox.ts'
import { run } from './shell.ts'

type Sample = { operationId: string; source: string }

/** The samples of a language, from the document that the sandbox serves. */
async function readSamples({ url }: Sandbox, lang: string): Promise<Sample[]> {
  type Operation = { operationId: string; 'x-codeSamples': { lang: string; source: string }[] }
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
    const commands = runCommandsOf(lang, operationId)
    if (commands) await writeFile(join(folder, commands.file), source)
    const output = await run(commands?.run ?? source, folder, await valuesFor(operationId, sandbox))
    const isRefusal = /"status":[45]\d\d,"message"/.test(output)
    if (isRefusal || output.trim() === '')
      throw new Error(`The ${lang} sample of ${operationId} got:\n${output}\n${source}`)
  }
}

/** The environment of a sample: the secrets, and a new value for what works once. */
async function valuesFor(operationId: string, sandbox: Sandbox): Promise<Record<string, string>> {
  const { url, partner, app } = sandbox
  const { secret_code: secretCode, secret_token: secretToken } = partner
  const { partner_code: partnerCode, partner_secret: partnerSecret } = partner
  const profiles = createPartnerClient({ baseUrl: url, secretCode, secretToken })
  const sso = createSsoClient({ authUrl: url, partnerCode, partnerSecret })
  const showQr = async (behaviour: string, purpose: 'inquire' | 'share') =>
    (await app(behaviour)('issueQrCode', { body: { purpose } })).body.qr_value
  const request = async (behaviour: string) =>
    (await profiles.requestAuthorization(await showQr(behaviour, 'inquire'))).record.tracking_no
  const issueCode = async () =>
    (await app('manual')('issueExchangeCode', { body: { partner_code: partnerCode } })).body.exchange_code

  const make: Record<string, () => Promise<Record<string, string>>> = {
    requestAuthorization: async () => ({ QR_VALUE: await showQr('declines', 'inquire') }),
    inquire: async () => ({ TRACKING_NO: await request('accepts') }),
    profileByQr: async () => ({ QR_VALUE: await showQr('manual', 'share') }),
    cancelAuthorization: async () => ({ TRACKING_NO: await request('manual') }),
    readDiagnosis: async () => {
      const refusal: unknown = await profiles.inquire('UNKNOWN').catch((error: unknown) => error)
      const REQUEST_ID = (refusal as TiwalaError).requestId!
      // The service stores a diagnosis a moment after the response.
      while (await profiles.diagnose(REQUEST_ID).then(() => false, isNotFound));
      return { REQUEST_ID }
    },
    generateToken: async () => ({ EXCHANGE_CODE: await issueCode() }),
    authenticate: async () => ({ ACCESS_TOKEN: await sso.generateToken(await issueCode()) }),
  }
  return {
    TIWALA_SECRET_CODE: secretCode,
    TIWALA_SECRET_TOKEN: secretToken,
    TIWALA_PARTNER_CODE: partnerCode,
    TIWALA_PARTNER_SECRET: partnerSecret,
    ...(await make[operationId]?.()),
  }
}

function isNotFound(error: unknown): true {
  if (error instanceof TiwalaError && error.status === 404) return true
  throw error
}
