// `npm run spec:workflows`: Redocly Respect runs the Arazzo workflows of spec/workflows/ against a sandbox,
// and compares every response with its document. Nothing leaves this machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Bootstrap } from './src/sandbox/bootstrap-format.ts'
import { startServiceWithPostgres } from './src/testing/postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
const REDOCLY = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js')
const WORKFLOWS = globSync('spec/workflows/*.arazzo.yaml', { cwd: ROOT })
/** Respect masks the inputs, but prints the body of a wrong response, with its codes and tokens. */
const SECRET = /\b(TWQ1|tw[a-z]_|eyJ)[\w.-]{8,}/g

const sandbox = await startServiceWithPostgres()
try {
  process.exitCode = await runRespect(
    (await (await fetch(`${sandbox.url}/sandbox/bootstrap.json`)).json()) as Bootstrap,
  )
} finally {
  await sandbox.close()
}

/** Returns the exit code. The secrets are in the environment, because every user can read the arguments. */
async function runRespect({ base_url, citizen_url, partner, citizens }: Bootstrap): Promise<number> {
  const inputs = {
    secret_code: partner.secret_code,
    secret_token: partner.secret_token,
    partner_code: partner.partner_code,
    partner_secret: partner.partner_secret,
    citizen_token: citizens.find(({ behavior }) => behavior === 'manual')!.token,
  }
  const servers = ['--server', `partner=${base_url}`, '--server', `citizenApp=${citizen_url}`]
  const respect = spawn(process.execPath, [REDOCLY, 'respect', ...WORKFLOWS, ...servers], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(respect, 'exit').then(([code]) => code as number | null)
  for await (const line of createInterface(respect.stdout)) console.log(line.replaceAll(SECRET, '$1…'))
  return (await exit) ?? 1
}
