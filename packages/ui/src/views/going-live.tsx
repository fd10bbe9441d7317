import type { Schemas } from '@tiwala/contract'
import type { ComponentChildren } from 'preact'
import { Table } from '../list.tsx'

type Check = Schemas['GoingLiveCheck']

const NAMES: Record<Check['check'], string> = {
  states: 'Every end state is inquired',
  retry_after: 'Retry-After is obeyed',
  signatures: 'Signatures are verified',
  browser: 'No secrets in a browser',
  sign_in_binding: 'Sign-ins have state or PKCE',
  rotation: 'A secret is rotated',
  errors: 'Errors are looked up',
}
const OUTCOMES: Record<Check['outcome'], [tone: string, words: string]> = {
  passed: ['good', 'passed'],
  failed: ['bad', 'failed'],
  not_seen: ['warn', 'not seen yet'],
  not_used: ['', 'not used'],
}

/** Whether the table can show it. */
export const isCheck = (value: unknown): value is Check => {
  const { check, outcome, detail } = (value ?? {}) as Record<string, unknown>
  return (
    typeof detail === 'string' &&
    Object.hasOwn(NAMES, String(check)) &&
    Object.hasOwn(OUTCOMES, String(outcome))
  )
}

type ChecksProps = { checks: Check[]; more?: (check: Check) => ComponentChildren }

/** The going-live list. `more` follows what the service saw. */
export const Checks = ({ checks, more }: ChecksProps) => (
  <Table
    caption="The going-live list"
    rows={checks}
    keyOf={({ check }) => check}
    columns={[
      { title: 'Check', cell: ({ check }) => <strong>{NAMES[check]}</strong> },
      {
        title: 'Outcome',
        cell: (check) => {
          const [tone, words] = OUTCOMES[check.outcome]
          return <span class={`badge ${tone}`}>{words}</span>
        },
      },
      {
        title: 'Detail',
        cell: (check) => (
          <>
            {check.detail}
            {more?.(check)}
          </>
        ),
      },
    ]}
  />
)
