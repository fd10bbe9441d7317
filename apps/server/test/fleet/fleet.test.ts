import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findProcesses, writeProcess } from '../../src/fleet/fleet.sql.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const db = await openDatabaseForFile()

test('each sign of a process replaces what it said of its tasks and keys', () =>
  rolledBack(db, async (tx) => {
    const first = {
      process_id: randomUUID(),
      version: '0.1.0',
      contract: '0.7.0',
      schema: 'a',
      node: 'v24',
      started_at: new Date('2026-11-01T00:00:00Z'),
      housekept_at: null,
      housekeeping_failed_at: null,
      keys: [],
    }
    await writeProcess(tx, first)
    const next = {
      ...first,
      housekept_at: new Date('2026-11-01T00:01:00Z'),
      housekeeping_failed_at: new Date('2026-11-01T00:00:30Z'),
      keys: [{ purpose: 'pepper', kid: 'k', is_current: true }],
    }
    await writeProcess(tx, next)
    const found = (await findProcesses(tx)).filter(({ process_id }) => process_id === first.process_id)
    expect(found).toEqual([{ ...next, seen_at: expect.any(Date) as Date, is_running: true }])
  }))
