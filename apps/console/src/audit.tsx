import type { Success } from '@tiwala/contract'
import { queryOf, TextField, TimeField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { useAction } from '@tiwala/ui/load'
import { Alert, Heading, Time } from '@tiwala/ui/parts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { commandOf, Commands } from './act.tsx'
import { api } from './api.ts'
import { Export, exportCommandOf } from './audit-export.tsx'
import { Months, type Verified } from './audit-months.tsx'
import { hrefOf } from './location.ts'

const NOTHING: Verified = { checked_checkpoints: 0, checked_rows: 0, first_fault: null }

export function Audit({ filters }: { filters: URLSearchParams }) {
  const [verified, setVerified] = useState(NOTHING)
  return (
    <>
      <Heading title="Audit">Audit</Heading>
      <p class="lead">
        What was done, and by which actor. No personal data. The search does not read archived months.
      </p>
      <List
        filters={filters}
        hrefOf={(next) => hrefOf('audit', '', next)}
        read={(query) => api('listAuditEvents', { query })}
        rowsOf={({ events }) => events}
        caption="Events, newest first"
        empty="No events match."
        keyOf={({ id }) => String(id)}
        columns={[
          { title: 'Time', cell: ({ occurred_at }) => <Time at={occurred_at} /> },
          {
            title: 'Event',
            cell: ({ kind, detail, reason }) => (
              <>
                <code>{kind}</code>
                {detail && <div class="small soft">{detail}</div>}
                {reason && <div class="small">Reason: {reason}</div>}
              </>
            ),
          },
          {
            title: 'Actor',
            cell: ({ actor, partner_code }) =>
              [actor, partner_code].filter(Boolean).join(', ') || 'the service',
          },
          { title: 'Checkpoint', cell: ({ seal }) => seal?.checkpoint ?? 'not yet' },
        ]}
        fields={
          <>
            <TextField label="Kind" name="kind" placeholder="partner.suspended" />
            <TextField label="Partner code" name="partner_code" />
            <TextField label="Actor" name="actor" />
            <TimeField label="From" name="from" />
            <TimeField label="Until" name="to" />
          </>
        }
      />
      <h2>Export</h2>
      <Export key={String(filters)} filters={filters} />
      <h2>Verification</h2>
      <Verify verified={verified} setVerified={setVerified} />
      <Months verified={verified} />
      <Commands
        of={[
          commandOf('listAuditEvents', {}, queryOf(filters)),
          exportCommandOf(filters),
          commandOf('verifyAudit', {}),
          commandOf('listAuditMonths', {}),
        ]}
      />
    </>
  )
}

/** Verifies one part after another, so that the person sees how far it is. */
function Verify({
  verified,
  setVerified,
}: {
  verified: Verified
  setVerified: (verified: Verified) => void
}) {
  const { checked_checkpoints: checkpoints, checked_rows: rows, first_fault: fault } = verified
  const [isDone, setIsDone] = useState(false)
  const action = useAction()
  const isLeft = useRef(false)
  useEffect(() => () => void (isLeft.current = true), [])
  const verify = () =>
    action.run(async () => {
      setIsDone(false)
      const sum = { ...NOTHING }
      setVerified(NOTHING)
      for (let next: number | null = 1; next !== null;) {
        const { body }: { body: Success<'verifyAudit'> } = await api('verifyAudit', {
          query: { from_checkpoint: next },
        })
        if (isLeft.current) return
        sum.checked_checkpoints += body.checked_checkpoints
        sum.checked_rows += body.checked_rows
        sum.first_fault = body.first_fault
        next = body.next_checkpoint
        setVerified({ ...sum })
      }
      setIsDone(true)
    })
  return (
    <section class="card act" aria-label="Verification">
      <p class="row">
        <button type="button" class="button" aria-disabled={action.isBusy} onClick={() => void verify()}>
          Verify the audit
        </button>
        <span aria-live="polite">
          {(action.isBusy || isDone) && `${checkpoints} checkpoints with ${rows} events verified`}{' '}
          {isDone && !fault && <span class="badge good">no fault</span>}
        </span>
      </p>
      <Alert
        text={
          action.error ||
          (fault ? `${fault.what} at checkpoint ${fault.checkpoint}, event ${fault.event}` : '')
        }
      />
    </section>
  )
}
