// A clinic's website that signs patients in by configuration alone: Auth.js for Express does the whole of OpenID
// Connect, its pages and its session cookie.
//
// Register `{url}/auth/callback/tiwala` as redirect URI. `patient.id` is the `sub`: the two callbacks keep it.
import { ExpressAuth, type ExpressAuthConfig, getSession } from '@auth/express'
import express, { type Express } from 'express'
import { html, pagesOf, type Site } from '../site/html.ts'
import { siteFiles } from '../site/site-files.ts'

export type ClinicOptions = {
  /** `{auth_url}/oidc` */
  issuer: string
  /** Your `partner_code` and `partner_secret`. */
  clientId: string
  clientSecret: string
  /** A random text that encrypts the sessions. */
  sessionSecret: string
  note?: Site['note']
}

export function createClinic({
  issuer,
  clientId,
  clientSecret,
  sessionSecret,
  note,
}: ClinicOptions): Express {
  const configuration: ExpressAuthConfig = {
    providers: [
      {
        id: 'tiwala',
        name: 'Tiwala',
        type: 'oidc',
        issuer,
        clientId,
        clientSecret,
        authorization: { params: { scope: 'openid profile' } },
        checks: ['pkce', 'state', 'nonce'],
        style: { logo: '/site/icon.svg' },
      },
    ],
    callbacks: {
      // `account` exists at the sign-in only. Without this, `token.sub` would be a new random value at each sign-in.
      jwt: ({ token, account }) => (account ? { ...token, sub: account.providerAccountId } : token),
      session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub! } }),
    },
    secret: sessionSecret,
    trustHost: true,
  }

  const site = {
    name: 'Your clinic',
    look: 'clinic',
    icon: 'shield',
    promise: 'Your appointments, without a password.',
  } as const
  const page = pagesOf({ ...site, note })
  // The note says how to sign in.
  const patientPage = pagesOf(site)
  const app = express()
  app.disable('x-powered-by')
  // The number of proxies in front. A proxy that ends TLS says in `X-Forwarded-Proto` that the browser used https.
  // Without a proxy, as on your own machine, only the client itself can send this header, and it changes only the
  // addresses in its own responses. In production without a proxy, leave this line out.
  app.set('trust proxy', 1)
  // The pages of Auth.js have styles of their own.
  app.use('/auth', ExpressAuth(configuration))
  app.use(siteFiles())

  app.get('/', async (req, res) => {
    const patient = (await getSession(req, configuration))?.user
    if (patient) res.send(patientPage(`Welcome, ${patient.name ?? 'patient'}`, APPOINTMENTS))
    else res.send(page('Welcome to your clinic', html`${LEAD}${SIGN_IN}`))
  })
  return app
}

const LEAD = html`<p class="lead">Sign in to see your appointments. Your citizen app asks you first.</p>`
const SIGN_IN = html`<div class="card ways">
  <a class="button primary" href="/auth/signin"><img src="/site/icon.svg" alt="" /> Sign in with Tiwala</a>
  <p class="soft small">You share your name, gender and date of birth.</p>
</div>`
const APPOINTMENTS = html`<section class="card">
  <p>You have no appointment yet.</p>
  <p><a class="button" href="/auth/signout">Sign out</a></p>
</section>`
