import { type IconName, icon } from '@tiwala/ui/icons'

export const Icon = ({ name }: { name: IconName }) => (
  <span class="symbol" aria-hidden="true" dangerouslySetInnerHTML={{ __html: icon(name) }} />
)
