// The changes that an attacker with access to the database could make, and the fault that the verification
// must report for each.
import { CHECKPOINT_TAMPERINGS } from './checkpoint-tamperings.ts'
import { exchange, type Leaf, type Tampering, type Target } from './tampering.ts'

const altered = ({ a }: Target) => ({ ...placeOf(a), what: 'event_altered' as const })
const placeOf = ({ checkpoint, position, event_id }: Leaf) => ({ checkpoint, position, event: event_id })
const edit = (column: string, to: string): Tampering => ({
  how: `${column} of an event edited`,
  act: ({ a }) => [`update audit_event set ${column} = ${to} where id = ${a.event_id}`],
  found: altered,
})

const COLUMNS =
  'xid, occurred_at, kind, partner_id, citizen_id, tracking_no, request_id, actor, detail, reason'
const copyOf = (id: number, as: number) =>
  `insert into audit_event (id, ${COLUMNS}) overriding system value
   select ${as}, ${COLUMNS} from audit_event where id = ${id}`
const at = ({ checkpoint, position }: Leaf) => `checkpoint = ${checkpoint} and position = ${position}`

/** Exchanges a column of two rows through a value that no row has. */
const swap = (
  table: string,
  column: string,
  away: string,
  one: [where: string, value: number],
  other: [where: string, value: number],
) => [
  `update ${table} set ${column} = ${away} where ${one[0]}`,
  `update ${table} set ${column} = ${one[1]} where ${other[0]}`,
  `update ${table} set ${column} = ${other[1]} where ${column} = ${away}`,
]
export const TAMPERINGS: Tampering[] = [
  edit('xid', `(xid::text::bigint - 1)::text::xid8`),
  edit('occurred_at', `occurred_at + interval '1 microsecond'`),
  edit('kind', `'profile.hidden'`),
  edit('partner_id', 'partner_id + 1'),
  edit('citizen_id', 'citizen_id + 1'),
  edit('tracking_no', `'0' || tracking_no`),
  edit('request_id', `request_id || '0'`),
  edit('actor', `'another actor'`),
  edit('reason', `'another reason'`),
  edit('detail', 'null'),
  {
    how: 'the id of an event edited',
    act: ({ a }) => [copyOf(a.event_id, -a.event_id), `delete from audit_event where id = ${a.event_id}`],
    found: ({ a }) => ({ ...placeOf(a), what: 'event_missing' }),
  },
  {
    how: 'an event deleted',
    act: ({ a }) => [`delete from audit_event where id = ${a.event_id}`],
    found: ({ a }) => ({ ...placeOf(a), what: 'event_missing' }),
  },
  {
    how: 'a leaf deleted',
    act: ({ a }) => [`delete from audit_leaf where ${at(a)}`],
    found: ({ a }) => ({ ...placeOf(a), event: null, what: 'leaf_missing' }),
  },
  {
    how: 'an event deleted with its leaf',
    act: ({ a }) => [
      `delete from audit_leaf where ${at(a)}`,
      `delete from audit_event where id = ${a.event_id}`,
    ],
    found: ({ a }) => ({ ...placeOf(a), event: null, what: 'leaf_missing' }),
  },
  {
    how: 'an event inserted',
    act: ({ a }) => [copyOf(a.event_id, -a.event_id)],
    found: ({ a }) => ({ ...placeOf(a), event: -a.event_id, what: 'event_added' }),
  },
  {
    how: 'an event inserted with a leaf',
    act: ({ a, last }) => [
      copyOf(a.event_id, -a.event_id),
      `insert into audit_leaf select checkpoint, ${last + 1}, ${-a.event_id}, hash
         from audit_leaf where ${at(a)}`,
    ],
    found: ({ a, last }) => ({
      checkpoint: a.checkpoint,
      position: last + 1,
      event: -a.event_id,
      what: 'leaf_added',
    }),
  },
  {
    how: 'two events swapped',
    act: ({ a, b }) => exchange('audit_event', 'id', COLUMNS, a.event_id, b.event_id),
    found: altered,
  },
  {
    how: 'the times of two events swapped',
    act: ({ a, b }) => exchange('audit_event', 'id', 'occurred_at', a.event_id, b.event_id),
    found: altered,
  },
  {
    how: 'the events of two leaves swapped',
    act: ({ a, b }) => swap('audit_leaf', 'event_id', '-1', [at(a), a.event_id], [at(b), b.event_id]),
    found: (target) => ({ ...altered(target), event: target.b.event_id }),
  },
  {
    how: 'the hashes of two leaves swapped',
    act: ({ a, b }) => exchange('audit_leaf', 'event_id', 'hash', a.event_id, b.event_id),
    found: altered,
  },
  {
    how: 'a hash edited',
    act: ({ a }) => [`update audit_leaf set hash = reverse(hash) where ${at(a)}`],
    found: altered,
  },
  {
    how: 'two leaves swapped: the order changed',
    act: ({ a, b }) =>
      swap(
        'audit_leaf',
        'position',
        '-1',
        [`event_id = ${a.event_id}`, a.position],
        [`event_id = ${b.event_id}`, b.position],
      ),
    found: ({ a, b }) => ({ ...placeOf(a), event: b.event_id, what: 'order_altered' }),
  },
  {
    how: 'a leaf moved to the next checkpoint',
    act: ({ a }) => [`update audit_leaf set checkpoint = checkpoint + 1, position = 100000 where ${at(a)}`],
    found: ({ a }) => ({ ...placeOf(a), event: null, what: 'leaf_missing' }),
  },
  {
    how: 'the last leaf deleted',
    act: ({ a, last }) => [
      `delete from audit_leaf where checkpoint = ${a.checkpoint} and position = ${last}`,
    ],
    found: ({ a, last }) => ({ checkpoint: a.checkpoint, position: last, event: null, what: 'leaf_missing' }),
  },
  ...CHECKPOINT_TAMPERINGS,
]
