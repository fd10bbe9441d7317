import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SignatureAlgorithm } from '../peers/create-oidc-provider.ts'
import { startContender } from './contender.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../peers/${name}.ts`, import.meta.url))

/** Starts a peer of the inquire benchmark. `name` is the name of its file. */
export const startPeer = (
  name: 'fastify' | 'express' | 'node-http',
  databaseUrl: string,
  logFolder: string,
) =>
  startContender({
    name,
    args: [pathOf(name)],
    env: { DATABASE_URL: databaseUrl },
    readyPath: '/readyz',
    logFolder,
  })

export const startOidcProvider = (algorithm: SignatureAlgorithm, databaseUrl: string, logFolder: string) =>
  startContender({
    name: `oidc-provider, ${algorithm}`,
    args: [pathOf('oidc-server')],
    env: { DATABASE_URL: databaseUrl, BENCH_SIGNATURE_ALGORITHM: algorithm },
    readyPath: '/.well-known/openid-configuration',
    logFolder,
  })

/** Creates authorization codes before the round that redeems them. */
export async function issueOidcCodes(databaseUrl: string, count: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [pathOf('issue-oidc-codes'), String(count)],
    {
      env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  return JSON.parse(stdout) as string[]
}
