import { List } from '@tiwala/ui/list'
import { Heading, Time } from '@tiwala/ui/parts'
import { Commands, commandOf } from './act.tsx'
import { api, mayCall, type Session } from './api.ts'
import { hrefOf } from './location.ts'

/** The scopes grouped by their verbs: `partners:read` and `audit:read` are shown as `read: partners, audit`. */
function Scopes({ of }: { of: string[] }) {
  if (of.length === 0) return 'nothing'
  const verbsOf = Map.groupBy(of, (scope) => scope.split(':')[0]!)
  const verbs = (noun: string) =>
    verbsOf
      .get(noun)!
      .map((scope) => scope.slice(noun.length + 1))
      .join(', ')
  return [...Map.groupBy(verbsOf.keys(), verbs)].map(([may, nouns]) => (
    <div key={may}>
      {may}: {nouns.join(', ')}
    </div>
  ))
}

/** The administrators that the service has seen. */
export const People = ({ session }: { session: Session }) => (
  <>
    <Heading title="People">People</Heading>
    <p class="lead">
      The administrators who came, and what they may do. Your identity provider decides. The members of a
      partner are on its page.
    </p>
    <List
      read={(query) => api('listOperators', { query })}
      rowsOf={({ operators }) => operators}
      caption="Administrators, the newest first"
      empty="No administrator has come yet."
      keyOf={({ subject }) => subject}
      columns={[
        {
          title: 'Person',
          cell: ({ name, subject }) => (
            <>
              {name ?? 'no name'}
              {name !== subject && (
                <>
                  <br />
                  <code class="small soft">{subject}</code>
                </>
              )}
              {mayCall(session, 'listAuditEvents') && (
                <>
                  <br />
                  <a
                    class="small"
                    href={hrefOf('audit', '', String(new URLSearchParams({ actor: subject })))}
                  >
                    What they did<span class="hidden">: {name ?? subject}</span>
                  </a>
                </>
              )}
            </>
          ),
        },
        {
          title: 'May do',
          cell: ({ scopes }) => <Scopes of={scopes} />,
        },
        { title: 'Last seen', cell: ({ seen_at }) => <Time at={seen_at} /> },
        { title: 'First seen', cell: ({ first_seen_at }) => <Time at={first_seen_at} /> },
      ]}
    />
    <Commands of={[commandOf('listOperators', {})]} />
  </>
)
