import { useEffect } from 'preact/hooks'
import { Tabs } from '../parts/tabs.tsx'
import { useKept } from '../state/use-kept.ts'
import { Clock } from './clock.tsx'
import { Credentials } from './credentials.tsx'
import { Errors } from './errors.tsx'
import { Events } from './events.tsx'
import { Requests } from './requests.tsx'
import './controls.css'

const VIEWS = { requests: Requests, events: Events, errors: Errors, credentials: Credentials }
type Tab = keyof typeof VIEWS
const NAMES = { requests: 'Requests', events: 'Events', errors: 'Errors', credentials: 'Credentials' }

/** A link such as `/sandbox/#errors` shares a tab, and `#errors/token_used` an error. */
export function linkedTool(): Tab | undefined {
  const [name = ''] = location.hash.slice(1).split('/')
  return Object.hasOwn(VIEWS, name) ? (name as Tab) : undefined
}

/** The visitor chooses something else: a reload shows that, and not what the link shares. */
export function leaveLink(): void {
  if (location.hash) history.replaceState(null, '', location.pathname)
}

/** What a developer does behind the scenes. */
export function Controls() {
  const [kept, setTab] = useKept<Tab>('controls', VIEWS, 'requests')
  const tab = linkedTool() ?? kept
  // A linked tab stays when the visitor leaves the link.
  useEffect(() => setTab(tab), [tab])
  const choose = (name: Tab) => {
    leaveLink()
    setTab(name)
  }
  const View = VIEWS[tab]
  return (
    <section class="part controls" aria-labelledby="controls-title">
      <h2 id="controls-title">Controls</h2>
      <Clock />
      <div class="tools">
        <Tabs label="Tools" tabs={NAMES} chosen={tab} onChange={choose}>
          <View />
        </Tabs>
      </div>
    </section>
  )
}
