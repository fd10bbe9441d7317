// A page for people who sign in: the header, the sign-in, and the views by their addresses.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { logo } from './logo.ts'
import { Alert, isNarrow } from './parts.tsx'
import { isSessionOver, messageOf, whenSessionEnds } from './use-load.ts'

type WorkPageProps<Session> = {
  name: string
  /** `undefined`: the browser has no session. */
  readSession: () => Promise<Session | undefined>
  signOut: () => Promise<unknown>
  /** Shown to a person without a session. */
  signIn: ComponentChildren
  /** Shown in the header. */
  who: (session: Session) => ComponentChildren
  children: (session: Session) => ComponentChildren
}

/** Where the address of a person without a session is kept, because the sign-in does not come back to it. */
const PLACE = location.pathname

function returnToPlace() {
  const place = sessionStorage.getItem(PLACE)
  sessionStorage.removeItem(PLACE)
  if (place && !location.hash) location.hash = place
}

export function WorkPage<Session>(props: WorkPageProps<Session>) {
  const { name, readSession, signIn, who, children } = props
  /** `null`: not known yet. */
  const [session, setSession] = useState<Session | undefined | null>(null)
  const [error, setError] = useState('')
  useEffect(() => {
    whenSessionEnds(() => {
      setError('Your session has ended. After the sign-in you are here again.')
      setSession(undefined)
    })
    void begin()
  }, [])
  useEffect(() => {
    if (session === undefined && location.hash) sessionStorage.setItem(PLACE, location.hash)
  }, [session])
  const begin = async () => {
    setError('')
    try {
      const found = await readSession()
      if (found) returnToPlace()
      setSession(found)
    } catch (reason) {
      setError(messageOf(reason))
    }
  }
  const signOut = async () => {
    try {
      await props.signOut().catch(async (reason: { code?: string }) => {
        // Another tab has signed in since, so the browser has a session of which this page has no token yet.
        if (reason.code !== 'csrf_token_invalid' || !(await readSession())) throw reason
        await props.signOut()
      })
    } catch (reason) {
      // A session that has ended already is as good.
      if (!isSessionOver(reason)) return setError(messageOf(reason))
    }
    setError('')
    setSession(undefined)
  }
  return (
    <>
      <header class="masthead">
        <div>
          <span dangerouslySetInnerHTML={{ __html: logo }} />
          <strong class="small">{name}</strong>
          <a class="soft small" href="/docs">
            Docs
          </a>
          {session && (
            <>
              <div class="who">{who(session)}</div>
              <button type="button" class="button compact" onClick={signOut}>
                Sign out
              </button>
            </>
          )}
        </div>
      </header>
      {session && (
        <>
          {error && (
            <div class="column">
              <Alert text={error} />
            </div>
          )}
          {children(session)}
        </>
      )}
      {!session && (
        <main class="column narrow">
          <section class="card">
            <h1>{name}</h1>
            <Alert text={error} {...(session === null && { retry: begin })} />
            {session === null && !error && <p>Loading ...</p>}
            {session === undefined && signIn}
          </section>
        </main>
      )}
    </>
  )
}

type ViewsProps<View extends string> = {
  name: string
  views: Readonly<Record<View, string>>
  /** The views that the person can open, by subject. */
  groups: Record<string, View[]>
  /** How much waits in a view. */
  waiting?: Partial<Record<View, string>>
  place: { view: View; item: string }
  hrefOf: (view: View) => string
  children: ComponentChildren
}

export function Views<View extends string>({
  name,
  views,
  groups,
  waiting = {},
  place,
  hrefOf,
  children,
}: ViewsProps<View>) {
  const fold = useRef<HTMLDetailsElement>(null)
  // On a phone, the names of the views would fill the screen.
  useLayoutEffect(() => void (fold.current!.open = !isNarrow()), [place.view])
  return (
    <div class="column">
      <details class="fold" ref={fold}>
        <summary class="button">
          Menu: {views[place.view]}
          {Object.values(groups)
            .flat()
            .filter((view) => waiting[view] && view !== place.view)
            .map((view) => (
              <span key={view} class="badge info">
                {views[view]}: {waiting[view]}
              </span>
            ))}
        </summary>
        <nav class="views" aria-label={name}>
          {Object.entries(groups).map(([group, of]) => (
            <div key={group} role="group" aria-label={group}>
              {of.map((view) => (
                <a key={view} href={hrefOf(view)} aria-current={view === place.view ? 'page' : undefined}>
                  {views[view]} {waiting[view] && <span class="badge info">{waiting[view]}</span>}
                </a>
              ))}
            </div>
          ))}
        </nav>
      </details>
      <main key={`${place.view} ${place.item}`}>{children}</main>
    </div>
  )
}
