import { CopyButton } from '@tiwala/ui/copy-button'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'

/** The credentials of this sandbox, for the visitor's own programs. */
export function Credentials() {
  const { sandbox } = useStore(saved)!
  const { name: _name, ...secrets } = sandbox.partner
  const values = { base_url: location.origin, ...secrets, sandbox_id: sandbox.sandbox_id }
  return (
    <>
      <p class="small soft">For your own programs: put these into your environment.</p>
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
