import { type AuditRange, fetchRange, findEvents, findRange } from '@tiwala/cli/audit-range'
import { queryOf } from '@tiwala/ui/fields'
import { useAction } from '@tiwala/ui/load'
import { Alert } from '@tiwala/ui/parts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Command, commandOf, optionsOf } from './act.tsx'
import { api } from './api.ts'

/** They are in the memory of the browser until the file is complete: about 20 MB. */
const MAX_EVENTS = 20_000
const REDRAW_EVENTS = 20

const tooMany = (count: string) =>
  new Error(`${count} events are too many for a browser. Choose a shorter range, or use the terminal.`)

/** Only the events of a range are whole checkpoints. */
const isRangeOf = (query: Record<string, string>) =>
  Object.keys(query).every((name) => name === 'from' || name === 'to')

export function exportCommandOf(filters: URLSearchParams): string {
  const query = queryOf(filters)
  return isRangeOf(query)
    ? ['tiwala audit export --file audit.ndjson', ...optionsOf(query)].join(' ')
    : `${commandOf('listAuditEvents', {}, query)} --all --json > audit-events.ndjson`
}

/** Saves the events of the filters. Those of a range alone are whole checkpoints, which can be verified. */
export function Export({ filters }: { filters: URLSearchParams }) {
  const query = queryOf(filters)
  const isRange = isRangeOf(query)
  const [progress, setProgress] = useState<{ events: number; of?: number | undefined }>({ events: 0 })
  const [saved, setSaved] = useState<{ name: string; events: number; range?: AuditRange | undefined }>()
  const isCancelled = useRef(false)
  const cancel = () => void (isCancelled.current = true)
  useEffect(() => cancel, [])
  const action = useAction()
  const save = () =>
    action.run(async () => {
      isCancelled.current = false
      setSaved(undefined)
      setProgress({ events: 0 })
      const range = isRange ? await findRange(api, query) : undefined
      if (isRange && !range) throw new Error('No checkpoint was sealed in this range.')
      if (range && range.events > MAX_EVENTS) throw tooMany(range.events.toLocaleString('en'))
      const lines: string[] = []
      let events = 0
      for await (const entry of range ? fetchRange(api, range) : findEvents(api, query)) {
        if (isCancelled.current) return
        lines.push(`${JSON.stringify(entry)}\n`)
        if (range && !('event' in entry)) continue
        events++
        if (events > MAX_EVENTS) throw tooMany(`More than ${MAX_EVENTS.toLocaleString('en')}`)
        if (events % REDRAW_EVENTS === 0) setProgress({ events, of: range?.events })
      }
      const name = range ? `audit-${range.first}-${range.last}.ndjson` : 'audit-events.ndjson'
      download(name, new Blob(lines, { type: 'application/x-ndjson' }))
      setSaved({ name, events, range })
    })
  return (
    <section class="card act" aria-label="Export">
      <p class="row">
        <button type="button" class="button" aria-disabled={action.isBusy} onClick={() => void save()}>
          {isRange ? 'Export this range' : 'Export these events'}
        </button>
        {action.isBusy && (
          <>
            <progress value={progress.of && progress.events} max={progress.of} aria-label="Exported" />
            <span>{progress.events.toLocaleString('en')} events</span>
            <button type="button" class="button" onClick={cancel}>
              Cancel
            </button>
          </>
        )}
      </p>
      <Alert text={action.error} />
      <div role="status" class={saved ? '' : 'hidden'}>
        {saved && (
          <p>
            {saved.events.toLocaleString('en')} events are in <code>{saved.name}</code>
            {saved.range && `, the checkpoints ${saved.range.first} to ${saved.range.last}`}.
          </p>
        )}
        {saved?.range && (
          <Command
            text={`tiwala audit verify --export ${saved.name} --from-checkpoint ${saved.range.first} --keys keys.json`}
          />
        )}
      </div>
      <p class="small">
        {isRange
          ? 'The file has the signed checkpoints that were sealed in the range, and all their events, also of archived months. It proves that no event between its first and its last checkpoint was edited, deleted, added or reordered. It proves nothing about what was before and after. To prove that too, verify the files of ranges that meet as one.'
          : 'The file has only the events that fit, and none of archived months. It proves nothing: it cannot be verified, because the other events of their checkpoints are missing. For a proof, clear kind, partner and actor, and select from the verified file.'}
      </p>
    </section>
  )
}

function download(name: string, blob: Blob) {
  const href = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href, download: name }).click()
  // The click starts the download before the next task.
  setTimeout(() => URL.revokeObjectURL(href))
}
