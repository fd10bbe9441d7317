import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { dispatch } from '../../src/http/dispatch.ts'
import type { Service } from '../../src/operation.ts'

const run = (req: object) => dispatch({} as Service, {} as Service)(req as Request, {} as Response, () => {})

test('404: a request that no operation matches', async () => {
  await expect(run({})).rejects.toMatchObject({ code: 'not_found' })
})

test('no operation runs without an authenticated caller', async () => {
  const openapi = { schema: { operationId: 'inquire' }, pathParams: {} }
  await expect(run({ openapi })).rejects.toThrow('No authenticated caller.')
})
