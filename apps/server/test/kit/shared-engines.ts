// The database engines of a test run. The first project that needs an engine prepares it; the last one
// removes it.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openTestPostgres } from '../../src/testing/postgres.ts'
import type { TestEngine } from '../../src/testing/start-service.ts'

const WRITE_IMAGE = fileURLToPath(new URL('write-embedded-image.ts', import.meta.url))

export type Engine<Kind extends TestEngine['kind']> = {
  engine: TestEngine & { kind: Kind }
  release(): Promise<void>
}

type Prepared<T> = { engine: T; remove(): Promise<void> }
type Shared<T> = { prepared: Promise<Prepared<T>>; users: number }

/** On the global object, because vitest may load this module once per project. */
const registry = globalThis as { tiwalaTestEngines?: Map<string, Shared<unknown>> }

async function share<T>(
  name: string,
  prepare: () => Promise<Prepared<T>>,
): Promise<{ engine: T; release(): Promise<void> }> {
  const engines = (registry.tiwalaTestEngines ??= new Map())
  const shared = (engines.get(name) ?? { prepared: prepare(), users: 0 }) as Shared<T>
  engines.set(name, shared)
  shared.users++
  const { engine, remove } = await shared.prepared
  const release = async () => {
    if (--shared.users > 0) return
    engines.delete(name)
    await remove()
  }
  return { engine, release }
}

/** The PostgreSQL at `TEST_DATABASE_URL`, or a temporary one. */
export const sharePostgres = (): Promise<Engine<'postgres'>> =>
  share('postgres', async () => {
    const { url, stop } = await openTestPostgres(process.env['TEST_DATABASE_URL'])
    return { engine: { kind: 'postgres', url }, remove: stop }
  })

/** An image of a migrated embedded database. */
export const shareEmbedded = (): Promise<Engine<'embedded'>> =>
  share('embedded', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tiwala-template-'))
    const templateFile = join(folder, 'image.tar')
    // The process ends before optimized WebAssembly would pay for its compilation.
    await promisify(execFile)(process.execPath, ['--liftoff-only', WRITE_IMAGE, templateFile])
    return {
      engine: { kind: 'embedded', templateFile },
      remove: () => rm(folder, { recursive: true, force: true }),
    }
  })
