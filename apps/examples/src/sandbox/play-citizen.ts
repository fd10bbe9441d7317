import { createCitizenApp } from '@tiwala/demo/citizen-app'
import { formatError } from '@tiwala/demo/format-error'
import { fetchSandbox } from '@tiwala/demo/sandbox'
import { Router } from 'express'
import { html, page } from '../html.ts'

/**
 * Pages at /citizen that play the citizen app, with the synthetic citizens of a sandbox. They are no part of
 * the examples: in production, the citizen has the app.
 */
export async function playCitizen(address: string) {
  const sandbox = await fetchSandbox(address).catch((error: unknown) => {
    console.error(formatError(error, address))
    process.exit(1)
  })
  const citizens = sandbox.citizens.map(({ name, token, behavior }) => ({
    name,
    behavior,
    app: createCitizenApp(sandbox.citizen_url, token),
  }))
  const links = (path: string) =>
    citizens
      .map(
        ({ name, behavior }, index) => html`<p><a href="${`${path}/${index}`}">${name}</a> (${behavior})</p>`,
      )
      .reduce((all, item) => html`${all}${item}`)

  const router = Router()
  router.get('/citizen/qr', (_req, res) => void res.send(page('Whose phone?', links('/citizen/qr'))))
  router.get('/citizen/qr/:index', async ({ params }, res) => {
    const { qr_value } = await citizens[Number(params.index)]!.app.showQr('inquire')
    const content = html`<p>Copy this value to <a href="/">the desk</a>:</p>
      <p><code>${qr_value}</code></p>`
    res.send(page('The QR code on the phone', content))
  })

  router.get('/citizen/sign-in/:state', ({ params }, res) => {
    res.send(page('Who signs in?', links(`/citizen/sign-in/${params.state}`)))
  })
  router.get('/citizen/sign-in/:state/:index', async ({ params }, res) => {
    const { state, index } = params
    const { exchange_code } = await citizens[Number(index)]!.app.signInTo(sandbox.partner.partner_code, state)
    // In production, the app opens the `redirect_url` of the response. Here it would lead to the sandbox.
    res.redirect(303, `/signed-in?${new URLSearchParams({ exchange_code, state }).toString()}`)
  })
  return { sandbox, router }
}
