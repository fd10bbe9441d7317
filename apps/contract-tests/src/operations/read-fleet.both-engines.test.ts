import { expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({
  TIWALA_BACKUP_FILES: `base:${import.meta.filename},export:/nowhere/audit.ndjson`,
})

test('200: the process and its tasks, also over the embedded database', async () => {
  const read = async () => (await service.operator('readFleet', {})).body
  await expect
    .poll(async () => (await read()).processes.filter(({ is_running }) => is_running).length)
    .toBe(1)
  const { processes, ...fleet } = await read()
  expect(processes[0]).toMatchObject({ schema: fleet.schema, node: process.versions.node })
  expect(processes[0]!.keys.some(({ purpose, is_current }) => purpose === 'audit' && is_current)).toBe(true)
  // A service of the tests has no DATABASE_URL, as the embedded one.
  expect(fleet).toMatchObject({
    connections: [],
    max_connections: null,
    unsafe_settings: [],
    record_days_ahead: 7,
    audit_months_ahead: 2,
  })
  expect(fleet.backups.slice(0, 2)).toEqual([
    { name: 'base', age_seconds: expect.any(Number) },
    { name: 'export', age_seconds: null },
  ])
})
