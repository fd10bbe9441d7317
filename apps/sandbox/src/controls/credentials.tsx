import { CopyButton } from '@tiwala/ui/copy-button'
import { Fold } from '../parts/fold.tsx'
import { Snippet } from '../parts/snippet.tsx'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'

/** The credentials of this sandbox, for the visitor's own programs. */
export function Credentials() {
  const { sandbox } = useStore(saved)!
  const { name: _name, ...secrets } = sandbox.partner
  const values = { base_url: location.origin, ...secrets, sandbox_id: sandbox.sandbox_id }
  // What the client reads.
  const env = Object.entries({ base_url: location.origin, auth_url: location.origin, ...secrets })
    .map(([name, value]) => `TIWALA_${name.toUpperCase()}=${value}\n`)
    .join('')
  return (
    <>
      <p class="small soft">For your own programs: put these into your environment.</p>
      <Fold summary="As .env, with the names in the guides">
        <Snippet text={env} />
      </Fold>
      <dl class="credentials">
        {Object.entries(values).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code> <CopyButton text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
