// oidc-provider has no types of its own. These are the parts that the peer uses.
declare module 'oidc-provider' {
  import type { Server } from 'node:http'

  export type StoredPayload = Record<string, unknown> & { grantId?: string }
  export type Adapter = {
    upsert(id: string, payload: StoredPayload, expiresInSeconds: number | undefined): Promise<void>
    find(id: string): Promise<StoredPayload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
    findByUid(uid: string): Promise<undefined>
    findByUserCode(userCode: string): Promise<undefined>
  }
  type Context = { method: string; status: number; path: string }
  export class Provider {
    constructor(issuer: string, configuration: object)
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void
    listen(port: number, host: string, onListening?: () => void): Server
    Client: { find(clientId: string): Promise<object> }
    Grant: new (properties: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
    AuthorizationCode: new (properties: object) => { save(): Promise<string> }
  }
}
