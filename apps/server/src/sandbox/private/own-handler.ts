import type { Request } from 'express'
import type { Service } from '../../operation.ts'
import type { PrivateSandbox } from './store.ts'

/** What a visitor may do in a private sandbox. The address of the request names the sandbox. */
export type OwnHandler = (
  service: Service,
  sandbox: PrivateSandbox,
  req: Request,
) => Promise<{ status?: number; body?: object }>
