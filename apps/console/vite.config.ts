import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { pageAt } from '@tiwala/ui/vite-config'
import { defineConfig } from 'vite'

type Operation = { operationId: string; security: [{ operatorToken: string[] }] }

/** The scopes of each operation. The whole document would be ten times the page. */
const SCOPES = Object.fromEntries(
  Object.values(operator.paths)
    .flatMap((item) => Object.values(item) as Operation[])
    .map(({ operationId, security: [{ operatorToken }] }) => [operationId, operatorToken]),
)

export default defineConfig({ ...pageAt('/console/'), define: { SCOPES: JSON.stringify(SCOPES) } })
