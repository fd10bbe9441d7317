import type { ComponentChildren } from 'preact'
import { groupItems, initialsOf, wordsOfItem } from './item-words.ts'

/** The logo of the partner: the first letters of its name. */
export function PartnerLogo({ name }: { name: string }) {
  return (
    <span class="partner-logo" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

/** Who asks a citizen, for what, and why. `children`: what the citizen compares. */
export const ConsentQuestion = ({
  partner: { name, purpose },
  asks,
  children,
}: {
  partner: { name: string; purpose: string }
  asks: string
  children: ComponentChildren
}) => (
  <>
    <header>
      <PartnerLogo name={name} />
      <p>
        <strong>{name}</strong> {asks}
      </p>
    </header>
    <p class="purpose">{purpose}</p>
    <p class="compare">{children}</p>
  </>
)

/** What the partner gets. */
export const Items = ({ items }: { items: string[] }) => (
  <dl class="items">
    {groupItems(items).map((group) => (
      <div key={group.title}>
        <dt>{group.title}:</dt> <dd>{group.items.map(wordsOfItem).join(', ')}</dd>
      </div>
    ))}
  </dl>
)
