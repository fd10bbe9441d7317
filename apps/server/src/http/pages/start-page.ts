import { icon, type IconName } from '@tiwala/ui/icons'
import { journey } from '@tiwala/ui/journey'
import { renderPage } from './render-page.ts'

type StartPageOptions = {
  isLive: boolean
  /** Where a visitor of this sandbox can sign in as an administrator. */
  consoleUrl: string | undefined
}

/** The page at `/`: what the service is, and where each reader starts. */
export const startPage = ({ isLive, consoleUrl }: StartPageOptions): string =>
  renderPage(
    'Tiwala',
    `<section class="hero">
        <h1>A verified profile, with the citizen's yes</h1>
        <p class="lead">Tiwala gives authorized partners a citizen's government profile when the citizen
        agrees. Citizens can also sign in with it.</p>
        <p class="row">
          ${isLive ? '' : `<a class="button primary" href="/sandbox/">${icon('play')} Try it in the sandbox</a>`}
          <a class="button${isLive ? ' primary' : ''}" href="/docs/guides/first-profile">Get a first profile</a>
        </p>
      </section>
      ${journey}
      <h2>Start here</h2>
      <div class="cards">${cards(isLive, consoleUrl).join('')}</div>`,
    { isLive, isWide: true },
  )

const cards = (isLive: boolean, consoleUrl: string | undefined) => [
  card('building', 'Partners', 'Ask for a profile, sign citizens in, receive events.', [
    ['/docs', 'Documentation'],
    ['/downloads/', 'Client for TypeScript'],
    ['/docs/errors', 'Error codes'],
  ]),
  card('phone', 'Citizen app', 'Show codes, ask the citizen, show who saw what.', [
    ['/docs/citizen-app/qr-codes', 'Guides'],
    ['/openapi/citizen-app.json', 'OpenAPI document'],
  ]),
  card('spec', 'OpenAPI', 'The partner contract, with the address of this server.', [
    ['/openapi/partner.json', 'JSON'],
    ['/openapi/partner.yaml', 'YAML'],
  ]),
  ...(isLive
    ? []
    : [
        card('key', 'Sandbox', 'Everything in it is synthetic, and yours to break.', [
          ['/sandbox/bootstrap.json', 'Credentials and citizens'],
          ['/sandbox/inbox', 'Inbox of the partner'],
          ['/workbench/', 'Workbench of the partner'],
          ...(consoleUrl ? [[consoleUrl, 'Console of the administrator'] as const] : []),
        ]),
      ]),
]

const card = (
  picture: IconName,
  title: string,
  text: string,
  links: (readonly [path: string, name: string])[],
) =>
  `<section class="card"><h3>${icon(picture)} ${title}</h3><p>${text}</p>
      <ul>${links.map(([path, name]) => `<li><a href="${path}">${name}</a></li>`).join('')}</ul></section>`
