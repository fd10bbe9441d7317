import type { Schemas } from '@tiwala/client'
import type { TiwalaError } from '@tiwala/transport'
import { Checks } from '@tiwala/ui/request'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { deskOf } from '../http/clients.ts'
import { advancedSeconds, startOver } from '../state/begin.ts'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { Button } from './button.tsx'

/** What went wrong, what it means, and a way on. `hasDiagnosis`: the partner's request was refused. */
export function ErrorBox({
  error,
  hasDiagnosis = false,
  retry,
}: {
  error: unknown
  hasDiagnosis?: boolean
  retry?: (() => void) | undefined
}) {
  if (!error) return null
  return (
    <div class="error notice bad" role="alert">
      <Problem error={error} hasDiagnosis={hasDiagnosis} />
      {retry && (
        <Button class="compact" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

const NO_RESPONSE = new Set(['TiwalaConnectionError', 'TimeoutError'])

/** The client has its own copies of the classes, so errors are compared by name. */
function Problem({ error, hasDiagnosis }: { error: unknown; hasDiagnosis: boolean }) {
  const { name, message } = error as Error
  if (name === 'TiwalaError') return <Refusal error={error as TiwalaError} hasDiagnosis={hasDiagnosis} />
  if (!NO_RESPONSE.has(name))
    return (
      <p>
        <strong>This page cannot do that:</strong> {message || name}
      </p>
    )
  return (
    <p>
      <strong>The service does not answer.</strong> If you stopped it, start it again: <code>npm start</code>.
      Then try again.
    </p>
  )
}

function Refusal({ error, hasDiagnosis }: { error: TiwalaError; hasDiagnosis: boolean }) {
  const { code, status, message, fields, requestId } = error
  // Without the code and the request id, which are shown separately.
  const text = message.replace(/ \([^)]*\)$/, '')
  return (
    <>
      <p>
        <strong>
          {status} <code>{code}</code>
        </strong>
        : {text}
      </p>
      {Object.entries(fields)
        .filter(([, reasons]) => !reasons.includes(text))
        .map(([name, reasons]) => (
          <p key={name}>
            <code>{name}</code> {reasons.join(', ')}
          </p>
        ))}
      <p>
        {code !== 'unexpected_answer' && (
          <a href={`/errors/${code}`} target="_blank" rel="noreferrer">
            What this means
          </a>
        )}
        {requestId && (
          <>
            {' · '}
            <code class="small">{requestId}</code>
          </>
        )}
      </p>
      <ExpiredSecrets
        code={code}
        otherwise={hasDiagnosis && requestId ? <Diagnose key={requestId} requestId={requestId} /> : undefined}
      />
    </>
  )
}

/** How the service refuses a secret. */
const REFUSALS_OF_SECRET = new Set(['credentials_invalid', 'partner_invalid'])

/**
 * For a refusal of the secrets of this sandbox: only time, which the visitor has moved, makes them invalid.
 * `otherwise` is shown for another refusal.
 */
export function ExpiredSecrets({
  code,
  otherwise,
}: {
  code: string | undefined
  otherwise?: VNode | undefined
}) {
  const advanced = useStore(advancedSeconds)
  if (!advanced || !REFUSALS_OF_SECRET.has(code!)) return otherwise ?? null
  return (
    <>
      <p>You moved your clock: the secrets of this sandbox have expired. A new sandbox has new ones.</p>
      <NewSandbox />
    </>
  )
}

/** The way on where a sandbox can no longer be used. */
export function NewSandbox() {
  const { isBusy, error, run, retry } = useAction()
  return (
    <>
      <Button class="compact" isOff={isBusy} onClick={() => run(startOver)}>
        Make a new sandbox
      </Button>
      <ErrorBox error={error} retry={retry} />
    </>
  )
}

/** A button that shows which check of a request failed. */
export function Diagnose({ requestId }: { requestId: string }) {
  const [diagnosis, setDiagnosis] = useState<Schemas['Diagnosis']>()
  const [error, setError] = useState<unknown>()
  const read = () => {
    setError(undefined)
    deskOf(saved.get()!.sandbox, 'never').diagnose(requestId).then(setDiagnosis, setError)
  }
  return (
    <>
      {!diagnosis && (
        <Button class="compact" onClick={read}>
          Why?
        </Button>
      )}
      {diagnosis && <Checks diagnosis={diagnosis} />}
      <ErrorBox error={error} />
    </>
  )
}
