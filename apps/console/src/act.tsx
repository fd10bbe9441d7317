import { commands } from '@tiwala/cli/commands'
import type { Schemas } from '@tiwala/contract'
import { CopyButton } from '@tiwala/ui/copy-button'
import { Dialog } from '@tiwala/ui/dialog'
import { useAction } from '@tiwala/ui/load'
import { Alert } from '@tiwala/ui/parts'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api, mayCall, type OperatorId, type Session } from './api.ts'
import { hrefOf } from './location.ts'

type ActProps = {
  session: Session
  id: OperatorId
  /** What the act is about, in the order of its path. */
  path: Record<string, string>
  label: string
  /** Said after it. */
  did: string
  /** Of the dialog: the act and what it is about. */
  title: string
  /** Of an act that takes something away. */
  tone?: 'bad'
  /** Takes nothing away and gives nothing, so the person does not type a confirmation. */
  isHarmless?: boolean
  /** What it does, before the person confirms. */
  warning: string
  /** What the person types to confirm. */
  expected: string
  /** Who reads the reason. */
  readers?: string
  /** Where the operation takes the reason. */
  reasonIn?: 'query' | 'body'
  /** The other fields of the body. */
  fields?: Record<string, string>
  /** The command without the reason, if it does not follow from the path. */
  command?: string
  /** What the person reads again before confirming. */
  children?: ComponentChildren
  /** Gets the body of the response. */
  done: (body: unknown) => void
  /** Runs when the dialog closes after an error: another person may have been faster. */
  failed?: () => void
}

/** What waits may have changed. */
export const notifyActed = () => dispatchEvent(new Event('acted'))

/** A text as one word of a shell. A control character could end the word in a terminal into which it is pasted. */
function quote(given: string): string {
  const text = given.replaceAll(/\p{Cc}/gu, ' ')
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The command that does the same. */
export const commandOf = (
  id: OperatorId,
  path: Record<string, string>,
  options: Record<string, string> = {},
) => [`tiwala ${commands[id]}`, ...Object.values(path).map(quote), ...optionsOf(options)].join(' ')

/** The filters of the pages, and the reason. Others, such as `token_command` and `url`, are options of the program itself. */
const OPTIONS = new Set(
  'q status kind name partner_code actor type open error since until from to reason'.split(' '),
)

/** The names and values may come from the address of the page, which anyone can write. */
export const optionsOf = (options: Record<string, string>) =>
  Object.entries(options)
    .filter(([name]) => OPTIONS.has(name))
    // With `=`, a value that begins with a dash is no option.
    .map(
      ([name, value]) => `--${name.replaceAll('_', '-')}${value.startsWith('-') ? '=' : ' '}${quote(value)}`,
    )

export const Command = ({ text }: { text: string }) => (
  <p class="small soft">
    <code class="command">
      {text.split(' ').map((word, index) => (
        <>
          {index > 0 && ' '}
          <span>{word}</span>
        </>
      ))}
    </code>
    <CopyButton text={text} />
  </p>
)

/** The commands that do the same as the page. */
export const Commands = ({ of }: { of: string[] }) => (
  <details>
    <summary class="small soft">In the terminal</summary>
    {of.map((text, index) => (
      <Command key={index} text={text} />
    ))}
  </details>
)

/** An act, with a reason for the audit. What takes something away or gives it needs a typed confirmation, too. */
export function Act(props: ActProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [approvalId, setApprovalId] = useState('')
  if (!mayCall(props.session, props.id)) return null
  if (approvalId)
    return (
      <p class="notice">
        Waits for a second person: <a href={hrefOf('approvals', approvalId)}>see the approval</a>.
      </p>
    )
  return (
    <>
      <button type="button" class={`button ${props.tone ?? ''}`} onClick={() => setIsOpen(true)}>
        {props.label}
      </button>
      {isOpen && <Confirmation {...props} waits={setApprovalId} close={() => setIsOpen(false)} />}
    </>
  )
}

const closeAround = (element: Element) => element.closest('dialog')!.close()

type ConfirmationProps = ActProps & { waits: (approvalId: string) => void; close: () => void }

function Confirmation(props: ConfirmationProps) {
  const { id, path, label, did, tone = '', isHarmless, warning, expected, reasonIn = 'query' } = props
  const { readers = 'for the audit', fields, command = commandOf(id, path), done, waits, close } = props
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const action = useAction()
  const isConfirmed = isHarmless || typed.trim() === expected
  const isReady = isConfirmed && reason.trim() !== '' && !action.isBusy
  const act = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isReady) return
    const form = event.target as HTMLFormElement
    void action.run(async () => {
      const given = { reason: reason.trim() }
      const input = reasonIn === 'body' ? { body: { ...fields, ...given } } : { body: fields, query: given }
      const { status, body } = await api(id, { path, ...input } as never).finally(notifyActed)
      closeAround(form)
      if (status === 202) {
        waits((body as Schemas['Approval']).approval_id)
        return 'Asked. A second person decides.'
      }
      done(body)
      return `${did}.`
    })
  }
  const onClose = () => {
    close()
    if (action.error) props.failed?.()
  }
  return (
    <Dialog title={props.title} isBusy={action.isBusy} onClose={onClose}>
      <form class="act" onSubmit={act}>
        <p>{warning}</p>
        {props.children}
        <label class="field">
          Reason, {readers}
          <input
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={500}
            autocomplete="off"
            placeholder="Ticket 4711"
          />
        </label>
        {!isHarmless && (
          <label class="field">
            <span>
              Type <code>{expected}</code> to confirm
            </span>
            <input
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              autocomplete="off"
              spellcheck={false}
            />
            <small role="status">
              {typed.length >= expected.length && !isConfirmed && 'Not the same yet: capitals count.'}
            </small>
          </label>
        )}
        <Alert text={action.error} />
        <p class="row">
          <button class={`button primary ${tone}`} aria-disabled={!isReady}>
            {label}
          </button>
          <button
            type="button"
            class="button"
            aria-disabled={action.isBusy}
            onClick={({ currentTarget }) => action.isBusy || closeAround(currentTarget)}
          >
            Cancel
          </button>
        </p>
        <Commands of={[[command, ...optionsOf({ reason: reason.trim() || 'Ticket 4711' })].join(' ')]} />
      </form>
    </Dialog>
  )
}
