import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { queryOf, fieldValueOf } from './fields.tsx'

/** The title of the page at its start. */
const PAGE = document.title

/** The heading of a view. It gets the focus, so that a screen reader says where the link has led. */
export function Heading({ children, title }: { children: ComponentChildren; title: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} - ${PAGE}`
    // Not at the first view, which begins with the navigation.
    if (hasView) heading.current?.focus({ preventScroll: true })
    hasView = true
  }, [title])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
let hasView = false

/** An error. `retry`: of what the page read by itself. The error of an act is moved into view, where the person sees it. */
export function Alert({ text, retry }: { text: string; retry?: () => void }) {
  const shown = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!retry) shown.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  return text ? (
    <p class="notice bad" role="alert" ref={shown}>
      {text}{' '}
      {retry && (
        <button type="button" class="button compact" onClick={() => retry()}>
          Try again
        </button>
      )}
    </p>
  ) : null
}

const AT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const AT_SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const AT_WITH_ZONE = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
/** A time in a text, without seconds. */
export const formatTime = (at: string) => AT_SHORT.format(new Date(at))
/** `isShort`: without seconds. */
export function Time({ at, isShort }: { at: string; isShort?: boolean }) {
  const time = new Date(at)
  return (
    <time dateTime={at} title={AT_WITH_ZONE.format(time)}>
      {(isShort ? AT_SHORT : AT).format(time)}
    </time>
  )
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
export const formatDay = (on: string) => DAY.format(new Date(on))
/** A day without a time, such as `2026-11-28`. */
export const Day = ({ on }: { on: string }) => <time dateTime={on}>{formatDay(on)}</time>

/** The secrets of the default sandbox end in the year 9999. */
export const isEndless = (expiresAt: string): boolean => expiresAt.startsWith('9999')

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 }
const IN = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' })

/** How long it is until a time, in the largest unit, counted down. */
export function Countdown({ to }: { to: string }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Date.parse(to) - now)
  const unit =
    (Object.keys(UNITS) as (keyof typeof UNITS)[]).find((name) => left >= 2 * UNITS[name]) ?? 'second'
  return (
    <time dateTime={to} title={AT_WITH_ZONE.format(new Date(to))}>
      {IN.format(Math.round(left / UNITS[unit]), unit)}
    </time>
  )
}

const toneOf = (status: number) => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')
/** Of a response. There may be none. */
export const Status = ({ status }: { status: number | undefined }) => (
  <span class={`badge ${toneOf(status ?? 500)}`}>{status ?? 'no response'}</span>
)

const TONES: Partial<Record<string, string>> = {
  PENDING: 'info',
  ACCEPTED: 'good',
  VIEWED: 'good',
  DELIVERED: 'good',
  DEAD: 'bad',
  ACTIVE: 'good',
  FAILING: 'warn',
  DISABLED: 'bad',
  SUSPENDED: 'bad',
  GRANTED: 'good',
  RETURNED: 'bad',
  WAITING: 'info',
}
const WORDS: Partial<Record<string, string>> = {
  DEAD: 'given up',
  RETURNED: 'sent back',
  NOT_SET: 'not set',
}
/** A state of the API, for people. */
export const wordOf = (state: string): string => WORDS[state] ?? state.toLowerCase()

/** The choices of a filter by state. */
export const choicesOf = (states: readonly string[]): Record<string, string> =>
  Object.fromEntries(states.map((state) => [state, wordOf(state)]))

/** The state of a partner, record, delivery, endpoint and so on, in the words given. */
export const State = ({ state, children = wordOf(state) }: { state: string; children?: string }) => (
  <span class={`badge ${TONES[state] ?? ''}`} title={state}>
    {children}
  </span>
)

/** Names with their values. A name without a value is left out. */
export const Facts = ({ of }: { of: Record<string, ComponentChildren> }) => (
  <dl class="facts">
    {Object.entries(of).map(
      ([name, value]) =>
        value && (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ),
    )}
  </dl>
)

/** Reads the next page of a list. */
export const More = ({
  hasMore,
  isBusy,
  onClick,
}: {
  hasMore: boolean
  isBusy: boolean
  onClick: () => void
}) =>
  hasMore ? (
    <p>
      <button type="button" class="button" aria-disabled={isBusy} onClick={() => isBusy || onClick()}>
        Show more
      </button>
    </p>
  ) : null

type FiltersProps = {
  filters: URLSearchParams
  hrefOf: (filters: string) => string
  /** Reads the same list again. */
  reload: () => void
  children: ComponentChildren
}

export const isNarrow = () => matchMedia('(width < 48rem)').matches

/** The filters of a list, which go into the address of the view. */
export function Filters({ filters, hrefOf, reload, children }: FiltersProps) {
  const form = useRef<HTMLFormElement>(null)
  const fold = useRef<HTMLDetailsElement>(null)
  const given = String(filters)
  // A link inside of the view changes the filters. The form stays, and with it the focus. Before the page is
  // painted, because it would undo what the person has filled in since.
  useLayoutEffect(() => {
    for (const field of form.current!.elements)
      if ((field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.name)
        field.value = fieldValueOf(field.name, filters)
  }, [given])
  // On a phone, the fields would fill the screen before the first row. A field that is required and empty is shown.
  useLayoutEffect(() => void (fold.current!.open = !isNarrow() || !form.current!.checkValidity()), [])
  const show = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = queryOf(new FormData(event.target as HTMLFormElement))
    const next = hrefOf(String(new URLSearchParams(fields)))
    if (next === hrefOf(given)) reload()
    // No event if it is the same. After the sign-in the address has none, and the filters are the same.
    location.hash = next
    if (!isNarrow()) return
    fold.current!.open = false
    fold.current!.querySelector('summary')!.focus()
  }
  return (
    <form onSubmit={show} ref={form} aria-label="Filters">
      <details class="fold" ref={fold}>
        <summary>Filters{filters.size > 0 && `: ${filters.size}`}</summary>
        <div class="filters">
          {children}
          <button class="button">Show</button>
        </div>
      </details>
    </form>
  )
}
