import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { startService, type TestEngine, type TestService } from '@tiwala/server/testing'
import { sharePostgres } from '@tiwala/server/testing-engines'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** For a test that needs a server of its own. */
    engine: TestEngine
    /** The address of the operator API. All test files share one server. */
    operatorUrl: string
    /** An administrator token with every scope. */
    token: string
    /** An administrator token without scopes. */
    scopelessToken: string
    /** A database without tables. */
    emptyDatabaseUrl: string
    /** A POST with a row to this address writes a leaf of the audit without the service's knowledge. */
    tamperUrl: string
  }
}

export default async function setup(project: TestProject) {
  const { engine, release } = await sharePostgres()
  project.provide('engine', engine)
  const service = await startService(engine)
  const bootstrap = (await (await fetch(`${service.url}/sandbox/bootstrap.json`)).json()) as {
    operator_url: string
    operator_token: string
  }
  project.provide('operatorUrl', bootstrap.operator_url)
  project.provide('emptyDatabaseUrl', engine.url)
  project.provide('token', bootstrap.operator_token)
  project.provide('scopelessToken', await service.tokens.operator(''))
  const tamper = createServer(async (req, res) => {
    await addLeaf(service, (await json(req)) as Leaf)
    res.end()
  }).listen(0, '127.0.0.1')
  await once(tamper, 'listening')
  project.provide('tamperUrl', `http://127.0.0.1:${(tamper.address() as AddressInfo).port}`)
  return async () => {
    tamper.close()
    await service.close()
    await release()
  }
}

type Leaf = { checkpoint: number; position: number; event_id: number; hash: string }

const addLeaf = ({ db }: TestService, leaf: Leaf) =>
  db.withTables<{ audit_leaf: Leaf }>().insertInto('audit_leaf').values(leaf).execute()
