import type { Schemas } from '@tiwala/contract'
import { exchange, type Tampering, type Target } from './tampering.ts'

const itself =
  (what: Schemas['AuditFault']['what'], further = 0) =>
  ({ a }: Target) => ({ checkpoint: a.checkpoint + further, position: null, event: null, what })

export const CHECKPOINT_TAMPERINGS: Tampering[] = [
  {
    how: 'a checkpoint deleted',
    act: ({ a }) => [`delete from audit_checkpoint where number = ${a.checkpoint}`],
    found: itself('checkpoint_missing'),
  },
  {
    how: 'two checkpoints swapped',
    act: ({ a }) =>
      exchange('audit_checkpoint', 'number', 'body, signature, salt', a.checkpoint, a.checkpoint + 1),
    found: itself('checkpoint_altered'),
  },
  {
    how: 'a checkpoint replaced by the one before',
    act: ({ a }) => [
      `update audit_checkpoint c set body = o.body, signature = o.signature from audit_checkpoint o
        where c.number = ${a.checkpoint + 1} and o.number = ${a.checkpoint}`,
    ],
    found: itself('checkpoint_altered', 1),
  },
  {
    how: 'the signatures of two checkpoints swapped',
    act: ({ a }) => exchange('audit_checkpoint', 'number', 'signature', a.checkpoint, a.checkpoint + 1),
    found: itself('signature_invalid'),
  },
  {
    how: 'a signature edited',
    act: ({ a }) => [
      `update audit_checkpoint set signature = reverse(signature) where number = ${a.checkpoint}`,
    ],
    found: itself('signature_invalid'),
  },
  {
    how: 'the end of a signature edited, where no bit counts',
    act: ({ a }) => [
      `update audit_checkpoint set signature = left(signature, -1) || chr(ascii(right(signature, 1)) + 1)
        where number = ${a.checkpoint}`,
    ],
    found: itself('signature_invalid'),
  },
  {
    how: 'what a checkpoint says edited',
    act: ({ a }) => [
      `update audit_checkpoint set body = replace(body, '"root":"', '"root":"A')
        where number = ${a.checkpoint}`,
    ],
    found: itself('signature_invalid'),
  },
  {
    how: 'what a checkpoint says made unreadable',
    act: ({ a }) => [`update audit_checkpoint set body = left(body, -1) where number = ${a.checkpoint}`],
    found: itself('signature_invalid'),
  },
  {
    how: 'the signer of a checkpoint edited',
    act: ({ a }) => [
      `update audit_checkpoint set body = replace(body, '"kid":"', '"kid":"x')
        where number = ${a.checkpoint}`,
    ],
    found: itself('key_unknown'),
  },
  {
    how: 'the salt of a checkpoint edited',
    act: ({ a }) => [`update audit_checkpoint set salt = reverse(salt) where number = ${a.checkpoint}`],
    found: ({ a }) => ({ checkpoint: a.checkpoint, position: 0, what: 'event_altered' }),
  },
]
