import { citizenApp } from '@tiwala/kit/users'
import { groupItems, initialsOf, wordsOfItem } from '@tiwala/ui/item-words'
import { Router } from 'express'
import { encodeQR } from 'qr'
import { Html, html, pagesOf } from '../site/html.ts'
import { requireSandbox } from './require-sandbox.ts'

const page = pagesOf({ name: 'Phone of a guest (sandbox)', look: 'phone', icon: 'phone' })

const joined = (parts: Html[]) => parts.reduce((all, part) => html`${all}${part}`, html``)

/**
 * Pages at /citizen that play the citizen app, with the synthetic citizens of a sandbox. They are no part of
 * the examples: in production, the citizen has the app.
 */
export async function playCitizen(address: string) {
  const sandbox = await requireSandbox(address)
  const citizens = sandbox.citizens.map(({ name, token, behavior }) => ({
    name,
    behavior,
    phone: citizenApp(sandbox.citizen_url, token),
  }))
  const links = (path: string) =>
    html`<ul class="plain">
      ${joined(
        citizens.map(
          ({ name, behavior }, index) =>
            html`<li>
              <a class="button" href="${`${path}/${index}`}"
                ><strong>${name}</strong> <span class="soft small">${behavior}</span></a
              >
            </li>`,
        ),
      )}
    </ul>`

  const router = Router()
  router.get('/citizen/qr', (_req, res) => void res.send(page('Whose phone?', links('/citizen/qr'))))
  router.get('/citizen/qr/:index', async ({ params: { index } }, res) => {
    const { name, phone } = citizens[Number(index)]!
    const qrValue = await phone.showQr('inquire')
    // Dark on light in every color scheme, as scanners need it.
    const picture = new Html(
      encodeQR(qrValue, 'svg').replace(
        /<svg ([^>]*)>/,
        '<svg class="qr" $1><rect width="100%" height="100%" fill="#fff"/>',
      ),
    )
    const content = html`<p class="soft">${name}</p>
      ${picture}
      <p>Scan it at <a href="/" target="_blank">the desk</a>, or copy its value there:</p>
      <p><code>${qrValue}</code></p>
      <p><a class="button primary" href="${`/citizen/phone/${index}`}">Requests on this phone</a></p>`
    res.send(page('My QR code', content))
  })
  router.get('/citizen/phone/:index', async ({ params: { index } }, res) => {
    const { name, phone } = citizens[Number(index)]!
    const { body } = await phone.app('listAuthorizations', { query: { state: 'PENDING' } })
    const requests = body.authorizations.map(({ tracking_no, partner, shares }) => {
      const button = (decision: string, label: string) =>
        html`<form method="post" action="${`/citizen/phone/${index}/${tracking_no}/${decision}`}">
          <button class="${decision === 'accept' ? 'button primary' : 'button'}">${label}</button>
        </form>`
      return html`<article class="asks">
        <header>
          <span class="partner-logo" aria-hidden="true">${initialsOf(partner.name)}</span>
          <p><strong>${partner.name}</strong> asks for your profile.</p>
        </header>
        <p>${partner.purpose}</p>
        <p class="compare">
          The hotel's screen must show <strong class="last4">${tracking_no.slice(-4)}</strong>
        </p>
        <dl class="items">
          ${joined(
            groupItems(shares).map(
              ({ title, items }) =>
                html`<div>
                  <dt>${title}:</dt>
                  <dd>${items.map(wordsOfItem).join(', ')}</dd>
                </div>`,
            ),
          )}
        </dl>
        <div class="answers">${button('decline', 'Decline')} ${button('accept', 'Accept')}</div>
      </article>`
    })
    const content = html`<p class="soft">${name}</p>
      ${joined(requests)}`
    const nothing = html`<p class="soft">${name}</p>
      <p>No request waits for an answer. A new one appears here.</p>
      <p><a href="${`/citizen/qr/${index}`}">Show a QR code</a></p>`
    res.send(page('Requests', requests.length ? content : nothing, requests.length ? 0 : 2))
  })
  router.post('/citizen/phone/:index/:trackingNo/:decision', async ({ params }, res) => {
    const { index, trackingNo, decision } = params
    const { phone } = citizens[Number(index)]!
    await (decision === 'accept' ? phone.accept(trackingNo) : phone.decline(trackingNo))
    res.redirect(303, `/citizen/phone/${index}`)
  })

  router.get('/citizen/sign-in/:state', ({ params }, res) => {
    res.send(page('Who signs in?', links(`/citizen/sign-in/${params.state}`)))
  })
  router.get('/citizen/sign-in/:state/:index', async ({ params }, res) => {
    const { state, index } = params
    const exchange_code = await citizens[Number(index)]!.phone.exchangeCode(sandbox.partner.partner_code)
    // In production, the app opens the `redirect_url` of the response. Here it would lead to the sandbox.
    res.redirect(303, `/signed-in?${new URLSearchParams({ exchange_code, state }).toString()}`)
  })
  return { sandbox, router }
}
