import { advancedSeconds } from '../state/begin.ts'
import { useStore } from '../state/create-store.ts'
import { useNow } from '../state/use-now.ts'

const REFRESH_MS = 10_000

/** The time on the phone is that of the sandbox, which the visitor can move. */
export function StatusBar() {
  const advanced = useStore(advancedSeconds)
  const time = new Date(useNow(REFRESH_MS) + advanced * 1000)
  return (
    <div class="status-bar" aria-hidden="true">
      <span>{time.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })}</span>
      <span class="island" />
      <svg viewBox="0 0 44 12">
        <path d="M0 8h2.5v4H0zM4 5.5h2.5v6.5H4zM8 3h2.5v9H8zM12 .5h2.5v11.5H12z" />
        <rect x="20.5" y="1.5" width="19" height="9.5" rx="2.5" fill="none" stroke="currentColor" />
        <rect x="22.5" y="3.5" width="13" height="5.5" rx="1" />
        <path d="M41 4.5h1.5v3.5H41z" />
      </svg>
    </div>
  )
}
