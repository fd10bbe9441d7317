import { ExchangePanel } from '../parts/exchange-panel.tsx'
import { Clock } from './clock.tsx'
import { Credentials } from './credentials.tsx'
import { Provoke } from './provoke.tsx'
import { Webhooks } from './webhooks.tsx'

export function Controls() {
  return (
    <section class="part controls" aria-labelledby="controls-title">
      <h2 id="controls-title">Controls</h2>
      <Clock />
      <Webhooks />
      <Provoke />
      <Credentials />
      <ExchangePanel side="controls" />
    </section>
  )
}
