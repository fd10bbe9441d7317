import { Router } from 'express'
import { readBody } from '../http/body.ts'
import { normalizeContentType } from '../http/content-type.ts'
import { basePathOf } from '../http/contract.ts'
import type { Service } from '../operation.ts'
import { sandboxCitizens } from './citizens.ts'
import { inbox } from './inbox.ts'
import { moveClock } from './move-clock.ts'
import { sandboxPartner } from './partner.ts'
import { portrait } from './portrait.ts'
import { sandboxTokens } from './tokens.ts'

/** Where the sandbox partner's `redirect_url` leads; the code stays in the address bar and is looked at by nobody. */
const SIGNED_IN_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Signed in (sandbox)</title><link rel="stylesheet" href="/page.css">
<main><h1>Back at the partner</h1>
<p>Here your application would take <code>exchange_code</code> from the address and, on its server, exchange it for the citizen's profile within 60 seconds.</p>
<p><a href="/docs">How to do that</a></p></main></html>
`

/** What only the sandbox serves: everything a newcomer, a demo or a test needs to begin. */
export function sandboxPages(service: Service): Router {
  const { publicUrl, operatorUrl } = service.config
  const tokens = sandboxTokens(service)
  const router = Router()

  router.get('/sandbox/bootstrap.json', async (_req, res) => {
    const citizens = sandboxCitizens(publicUrl).map(async ({ behaviour, profile }) => ({
      uniqid: profile.uniqid,
      name: [profile.first_name, profile.middle_name, profile.last_name, profile.suffix].filter(Boolean).join(' '),
      behaviour,
      token: await tokens.citizen(profile.uniqid),
    }))
    res.set('Cache-Control', 'no-store').json({
      base_url: publicUrl,
      auth_url: publicUrl,
      citizen_url: publicUrl + basePathOf('citizen-app'),
      operator_url: operatorUrl + basePathOf('operator'),
      partner: sandboxPartner(service),
      citizens: await Promise.all(citizens),
      operator_token: await tokens.operator(),
    })
  })

  router.use(inbox(service))

  router.post('/sandbox/clock', normalizeContentType, readBody, moveClock(service))

  router.get('/sandbox/photos/:number.svg', (req, res) => {
    res.type('image/svg+xml').send(portrait(Number(req.params.number) || 0))
  })

  router.get('/sandbox/signed-in', (_req, res) => {
    res.type('html').send(SIGNED_IN_PAGE)
  })

  return router
}
