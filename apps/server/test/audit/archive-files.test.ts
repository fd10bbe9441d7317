import { expect, test } from 'vitest'
import { openHistoryWriter, readHistoryOf } from '../../src/audit/archive/archive-files.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

test('the history of a citizen is found in each block that has a part of it', async () => {
  await using folder = await temporaryFolder()
  const writer = await openHistoryWriter(folder.path)
  let id = 0
  for (const citizens of [[1, 1, 2], [2, 2], [2, 2], [2, 3], [3], [5]])
    await writer.add(
      citizens.map((citizen_id) => ({ id: ++id, citizen_id })),
      citizens[0],
    )
  await writer.close()
  const idsOf = async (citizenId: number) =>
    (await readHistoryOf(folder.path, true, citizenId)).map((row) => row.id)
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(idsOf))).toEqual([
    [1, 2],
    [3, 4, 5, 6, 7, 8],
    [9, 10],
    [],
    [11],
    [],
  ])
})
