import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Signature } from '../peers/create-oidc-provider.ts'
import { startContender } from './contender.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../peers/${name}.ts`, import.meta.url))

/** A peer of inquire, by its file's name. */
export const startPeer = (name: 'fastify' | 'express' | 'node-http', databaseUrl: string, logFolder: string) =>
  startContender({ name, args: [fileOf(name)], env: { DATABASE_URL: databaseUrl }, readyPath: '/readyz', logFolder })

export const startOidcProvider = (signature: Signature, databaseUrl: string, logFolder: string) =>
  startContender({
    name: `oidc-provider, ${signature}`,
    args: [fileOf('oidc-server')],
    env: { DATABASE_URL: databaseUrl, BENCH_SIGNATURE: signature },
    readyPath: '/.well-known/openid-configuration',
    logFolder,
  })

/** Authorization codes, made before the round that uses them up. */
export async function issueOidcCodes(databaseUrl: string, count: number): Promise<string[]> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl }
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [fileOf('issue-oidc-codes'), String(count)], { env, maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout) as string[]
}
