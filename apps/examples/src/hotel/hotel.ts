// A hotel's check-in desk: it scans the guest's QR code, shows that the request is pending, and then the name
// of the guest.
//
// The long poll (`waitForAcceptance`) brings the decision within a second. The webhook brings what happens
// later, such as a guest who withdraws the consent. It also arrives if this server was restarted in between.
//
// Put these pages behind the sign-in of your staff: they show personal data.
import { type PartnerClient, type Schemas, TiwalaError, verifyWebhook, WebhookError } from '@tiwala/client'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { html, pagesOf, type Site } from '../site/html.ts'
import { siteFiles } from '../site/site-files.ts'

type State = Schemas['AuthorizationState']
/** Keep the fields that you need, and no others. */
type CheckIn = { state: State; guest?: { name: string; birthDate: string } }

/** `note`: what the pages say in the sandbox. */
export function createHotel(tiwala: PartnerClient, webhookSecret: string, note?: Site['note']): Express {
  const page = pagesOf({
    name: 'Your hotel',
    look: 'hotel',
    icon: 'key',
    promise: 'A guest is checked in with one scan.',
    note,
  })
  // In production: tables of your database.
  const checkIns = new Map<string, CheckIn>()
  const handledEvents = new Set<string>()
  /** The tracking numbers for which `waitForGuest` runs. If it does not run for a pending check-in, it has failed. */
  const waits = new Set<string>()

  function save(trackingNo: string, state: State, profile: Schemas['Profile'] | null | undefined): void {
    // A withdrawn consent is final. Without a profile, the name of the guest is deleted here.
    if (checkIns.get(trackingNo)?.state === 'REVOKED') return
    const guest = profile && {
      name: `${profile.first_name} ${profile.last_name}`,
      birthDate: profile.birth_date,
    }
    checkIns.set(trackingNo, { state, ...(guest && { guest }) })
  }

  /**
   * Only for a pending check-in, and once at a time: each inquiry after the acceptance is one more disclosure in the
   * history of the guest. In production: a job of your queue, which is repeated after an error.
   */
  async function waitForGuest(trackingNo: string): Promise<void> {
    if (checkIns.get(trackingNo)?.state !== 'PENDING' || waits.has(trackingNo)) return
    waits.add(trackingNo)
    try {
      const { state, record } = await tiwala.waitForAcceptance(trackingNo)
      save(trackingNo, state, record.response)
    } catch (error) {
      const isExpired = error instanceof TiwalaError && error.code === 'result_expired'
      // The guest accepted more than an hour ago, and this server did not read the profile in time.
      if (isExpired && checkIns.get(trackingNo)?.state === 'PENDING') save(trackingNo, 'ACCEPTED', null)
      console.warn('Cannot wait for the guest:', (error as Error).message)
    } finally {
      waits.delete(trackingNo)
    }
  }

  const app = express()
  app.disable('x-powered-by')
  app.use(siteFiles())

  app.get('/', (_req, res) => void res.send(page('Check-in', html`${LEAD}${SCAN_FORM}`)))

  app.post('/check-ins', express.urlencoded(), async (req, res) => {
    // A scanner may add a line break.
    const { qr_value: qrValue = '' } = req.body as { qr_value?: string }
    const { record } = await tiwala.requestAuthorization(qrValue.trim())
    const { tracking_no: trackingNo } = record
    checkIns.set(trackingNo, { state: 'PENDING' })
    void waitForGuest(trackingNo)
    res.redirect(303, `/check-ins/${trackingNo}`)
  })

  app.post('/check-ins/:trackingNo/wait', ({ params: { trackingNo } }, res) => {
    void waitForGuest(trackingNo)
    res.redirect(303, `/check-ins/${trackingNo}`)
  })

  app.get('/check-ins/:trackingNo', (req, res) => {
    const { trackingNo } = req.params
    const checkIn = checkIns.get(trackingNo)
    if (checkIn) res.send(renderCheckIn(trackingNo, checkIn))
    else res.status(404).send(page('No such check-in', SCAN_FORM))
  })

  // The signature covers the bytes of the body, so no parser reads it before.
  app.post('/tiwala/events', express.raw({ type: 'application/json' }), async (req, res) => {
    const { id, event } = await verifyWebhook(req.body as Buffer, req.headers, webhookSecret)
    // Respond before the work: after 15 s without a response, the service sends the event again. In production, store
    // the event first.
    res.status(204).end()
    // An event may arrive twice.
    if (handledEvents.has(id)) return
    handledEvents.add(id)
    if (!('tracking_no' in event.data) || !checkIns.has(event.data.tracking_no)) return
    const { tracking_no: trackingNo } = event.data
    // An event may arrive later than another one, so inquire for the present state of a pending check-in. Only a
    // withdrawal is always final.
    if (event.type === 'authorization.revoked') save(trackingNo, 'REVOKED', null)
    else void waitForGuest(trackingNo)
  })

  const handleError: ErrorRequestHandler = (error: Error, _req, res, _next) => {
    if (error instanceof WebhookError) res.status(400).end()
    else if (error instanceof TiwalaError && error.code === 'qr_value_invalid')
      res.status(422).send(page('Ask the guest to show a new QR code', SCAN_FORM))
    else {
      // No personal data and no secret is in these fields.
      console.error(error.name, error.message)
      res.status(503).send(page('This does not work now. Try again.', SCAN_FORM))
    }
  }
  app.use(handleError)

  function renderCheckIn(trackingNo: string, { state, guest }: CheckIn): string {
    if (state === 'PENDING' && !waits.has(trackingNo))
      return page(
        'We cannot get the answer of the guest now',
        html`<form method="post" action="${`/check-ins/${trackingNo}/wait`}">
            <p><button class="button">Wait again</button></p>
          </form>
          ${SCAN_FORM}`,
      )
    if (state === 'PENDING')
      return page(
        'Waiting for the guest',
        html`<section class="card">
          <p>Ask the guest to accept. The guest's phone must show:</p>
          <p class="shown"><strong>${trackingNo.slice(-4)}</strong></p>
        </section>`,
        1,
      )
    if (!guest) return page(ENDED[state] ?? state, SCAN_FORM)
    return page(
      `Welcome, ${guest.name}`,
      html`<section class="card">
        <p><strong>The guest</strong> <span class="badge good">from Tiwala</span></p>
        <p>Born on ${guest.birthDate}</p>
        <p><a class="button" href="/">Next guest</a></p>
      </section>`,
    )
  }
  return app
}

const LEAD = html`<p class="lead">Scan the code on the guest's phone. The guest decides there.</p>`
const SCAN_FORM = html`<form class="card ways" id="scan-form" method="post" action="/check-ins">
  <p class="field">
    <label for="qr-value">The guest's QR code: scan it into this field, or paste its value</label>
    <input id="qr-value" name="qr_value" required autofocus autocomplete="off" />
  </p>
  <p><button class="button primary">Request the profile</button></p>
  <div id="scanner" hidden>
    <video width="320" hidden playsinline muted></video>
    <p class="row">
      <span class="soft small">Without a scanner:</span>
      <button class="button compact" type="button" id="camera">Use the camera</button>
      <label class="button compact"
        >Choose a picture of the code<input type="file" id="picture" accept="image/*"
      /></label>
    </p>
    <p role="status"></p>
  </div>
  <script type="module" src="/site/scan.js"></script>
</form>`

const ENDED: Partial<Record<State, string>> = {
  ACCEPTED: 'The profile can no longer be read. Ask the guest again',
  DECLINED: 'The guest declined',
  EXPIRED: 'The guest did not decide in time',
  CANCELLED: 'The request was withdrawn',
  REVOKED: 'The guest withdrew the consent',
}
