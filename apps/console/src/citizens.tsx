import type { Schemas } from '@tiwala/contract'
import { useAction } from '@tiwala/ui/load'
import { Alert, Heading, Time } from '@tiwala/ui/parts'
import { useState } from 'preact/hooks'
import { Act, Command, commandOf } from './act.tsx'
import { api, type Session } from './api.ts'

type Receipt = Schemas['ErasureReceipt']

/** The identifier is not in the address of the page, which the browser keeps in its history. */
export function Citizens({ session }: { session: Session }) {
  const [uniqid, setUniqid] = useState('')
  const [receipt, setReceipt] = useState<Receipt | null>()
  const action = useAction()
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    const input = (event.target as HTMLFormElement).elements.namedItem('uniqid') as HTMLInputElement
    const wanted = input.value.trim()
    setUniqid('')
    void action.run(async () => {
      setReceipt(await readReceipt(wanted))
      setUniqid(wanted)
    })
  }
  return (
    <>
      <Heading title="Citizens">Citizens</Heading>
      <p class="lead">Erase a citizen, or read the receipt of an erasure again.</p>
      <form class="filters" onSubmit={find} aria-label="Find a citizen">
        <label class="field wide">
          uniqid
          <input name="uniqid" required autocomplete="off" spellcheck={false} placeholder="CTZ-..." />
        </label>
        <button class="button primary">Open</button>
      </form>
      <Alert text={action.error} />
      {uniqid && receipt && <Erased receipt={receipt} uniqid={uniqid} />}
      {uniqid && receipt === null && (
        <>
          <p>
            No citizen with the identifier <code>{uniqid}</code> was erased. The service does not show whether
            it has one.
          </p>
          <Act
            key={uniqid}
            session={session}
            id="eraseCitizen"
            path={{ uniqid }}
            label="Erase"
            warning="The profile and the passport of this citizen can never be read again, not even from records. This cannot be undone."
            expected={uniqid}
            done={(body) => setReceipt(body as Receipt)}
          />
        </>
      )}
    </>
  )
}

/** Null: no such citizen was erased. */
async function readReceipt(uniqid: string): Promise<Receipt | null> {
  try {
    return (await api('readErasure', { path: { uniqid } })).body
  } catch (error) {
    if ((error as { code?: string }).code === 'not_found') return null
    throw error
  }
}

const Erased = ({
  receipt: { erased_at, subject, receipt },
  uniqid,
}: {
  receipt: Receipt
  uniqid: string
}) => (
  <>
    <dl class="facts">
      <dt>Erased</dt>
      <dd>
        <Time at={erased_at} />
      </dd>
      <dt>Subject</dt>
      <dd>
        <code>{subject}</code>
      </dd>
      <dt>Receipt</dt>
      <dd>
        <code>{receipt}</code>
      </dd>
    </dl>
    <Command text={commandOf('readErasure', { uniqid })} />
  </>
)
