/** The logo of the partner: the first letters of its name. */
export function PartnerLogo({ name }: { name: string }) {
  const letters = name.split(' ').map(([first]) => first)
  return (
    <span class="partner-logo" aria-hidden="true">
      {letters.slice(0, 2).join('')}
    </span>
  )
}
