import { CopyButton } from '@tiwala/ui/copy-button'

/** A secret that the service has just made, until the person hides it. */
export const NewSecret = ({ name, secret, hide }: { name: string; secret: string; hide: () => void }) => (
  <section class="notice good" aria-label={`New ${name}`}>
    <p>
      The new {name}. Copy it: it is shown until you hide it or your session ends. Give it to your servers
      before the previous one ends.
    </p>
    <div class="row">
      <pre>
        <code>{secret}</code>
      </pre>
      <CopyButton text={secret} />
      <button type="button" class="button compact quiet" onClick={hide}>
        Hide
      </button>
    </div>
  </section>
)
