import { phoneOf } from '../http/clients.ts'
import { useStore } from '../state/store.ts'
import { usePoll } from '../state/use-poll.ts'
import { phoneChanges } from './consents.ts'

const WAYS = { INQUIRE: 'after you accepted', QR: 'with a code that you shared', SSO: 'when you signed in' }
const REFRESH_MS = 5_000

/** Who saw what. */
export function HistoryView({ token }: { token: string }) {
  const changes = useStore(phoneChanges)
  const disclosures = usePoll(
    async () => (await phoneOf(token, true)('listDisclosures', { query: { limit: 20 } })).body.disclosures,
    REFRESH_MS,
    `${token} ${changes}`,
  )
  if (!disclosures) return null
  if (disclosures.length === 0) return <p>No partner has seen your profile.</p>
  return (
    <ul class="plain">
      {disclosures.map(({ id, partner, way, disclosed_at, fields }) => (
        <li key={id} class="card">
          <strong>{partner.name}</strong> {WAYS[way]}
          <p class="small">{new Date(disclosed_at).toLocaleString()}</p>
          <details>
            <summary>{fields.length} fields</summary>
            <p class="small">{fields.join(', ')}</p>
          </details>
        </li>
      ))}
    </ul>
  )
}
