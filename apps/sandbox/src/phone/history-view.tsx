import type { Schemas } from '@tiwala/contract'
import { Items, PartnerLogo } from '@tiwala/ui/consent-question'
import { phoneOf } from '../http/clients.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Fold } from '../parts/fold.tsx'
import { sinceInWords } from '../parts/words.ts'
import { useStore } from '../state/create-store.ts'
import { useAction } from '../state/use-action.ts'
import { usePoll } from '../state/use-poll.ts'
import { phoneChanges } from './consents.ts'

const WAYS = { INQUIRE: 'after you accepted', QR: 'with a code that you shared', SSO: 'when you signed in' }
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const REFRESH_MS = 5_000

/** Who saw what. The citizen disputes what was not the citizen's doing. */
export function HistoryView({ token }: { token: string }) {
  const changes = useStore(phoneChanges)
  const disclosures = usePoll(
    async () => (await phoneOf(token, 'never')('listDisclosures', { query: { limit: 20 } })).body.disclosures,
    REFRESH_MS,
    `${token} ${changes}`,
  )
  if (!disclosures) return <p>Reading …</p>
  if (disclosures.length === 0) return <p class="none">No partner has seen your profile.</p>
  return (
    <>
      <ul class="plain">
        {disclosures.map((disclosure) => (
          <DisclosureCard key={disclosure.id} disclosure={disclosure} token={token} />
        ))}
      </ul>
      <p class="small">A report withdraws nothing: the administrator of the service investigates it.</p>
    </>
  )
}

function DisclosureCard({ disclosure, token }: { disclosure: Schemas['Disclosure']; token: string }) {
  const { id, partner, way, disclosed_at, fields, disputed_at } = disclosure
  const { isBusy, error, run, retry } = useAction()
  const report = () =>
    run(async () => {
      await phoneOf(token)('disputeDisclosure', { path: { disclosure_id: id } })
      phoneChanges.update((count) => count + 1)
    })
  return (
    <li class="app-card">
      <header>
        <PartnerLogo name={partner.name} />
        <p>
          <strong>{partner.name}</strong> saw your profile {WAYS[way]}{' '}
          <span class="small">
            {sinceInWords(disclosed_at)}, at {TIME.format(new Date(disclosed_at))}
          </span>
        </p>
      </header>
      <Fold summary={`${fields.length} items`}>
        <Items items={fields} />
      </Fold>
      {disputed_at ? (
        <p>You reported this: "this was not me".</p>
      ) : (
        <p>
          <Button class="compact" isOff={isBusy} onClick={report}>
            Report: this was not me
          </Button>
        </p>
      )}
      <ErrorBox error={error} retry={retry} />
    </li>
  )
}
