import type { Schemas } from '@tiwala/client'
import type { TiwalaError } from '@tiwala/transport'
import { useState } from 'preact/hooks'
import { deskOf } from '../http/clients.ts'
import { saved } from '../state/sandbox.ts'
import { Checks } from './checks.tsx'

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
    <div class="error" role="alert">
      <Problem error={error} hasDiagnosis={hasDiagnosis} />
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
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
      Then try again: nothing is lost.
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
      {hasDiagnosis && requestId && <Diagnose key={requestId} requestId={requestId} />}
    </>
  )
}

/** A button that shows which check of a request failed. */
export function Diagnose({ requestId }: { requestId: string }) {
  const [diagnosis, setDiagnosis] = useState<Schemas['Diagnosis']>()
  const [error, setError] = useState<unknown>()
  const read = () => {
    setError(undefined)
    deskOf(saved.get()!.sandbox, true).diagnose(requestId).then(setDiagnosis, setError)
  }
  return (
    <>
      {!diagnosis && (
        <button type="button" onClick={read}>
          Why?
        </button>
      )}
      {diagnosis && <Checks diagnosis={diagnosis} />}
      <ErrorBox error={error} />
    </>
  )
}
