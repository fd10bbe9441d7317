// The partners and citizens of a test of a restore: as they are in the backup, and what is changed after it.
import { routes, type Schemas, type WorkbenchOperations } from '@tiwala/contract'
import { basePathOf } from '@tiwala/kit/operations'
import { createTransport, TiwalaError } from '@tiwala/transport'
import type { Citizen, RestoredService } from './restored-service.ts'

const REGISTRATION: Schemas['SignInRegistration'] = {
  redirect_uris: ['https://bank.example/callback'],
  post_logout_redirect_uris: [],
  profile: 'standard',
  id_token_signed_response_alg: 'ES256',
  keys: [],
  jwks_url: null,
  purposes: [
    { name: 'default', text: 'To test.', items: ['given_name'], optional_items: [], minimum_acr: null },
  ],
}

/** What the changes are about, as it is in the backup. */
export async function prepareSubjects(service: RestoredService) {
  const { partner, citizen, operator } = service
  const [hotel, bank, shop] = [await partner(), await partner(), await partner()]
  const [erased, frozen, consenting] = [await citizen(), await citizen(), await citizen()]
  // So that the backup has more than one checkpoint.
  await service.exportAudit()
  const trackingNo = await consenting.accept(hotel.headers)
  await operator('suspendPartner', { path: { partner_code: shop.code } })
  const [admin, removed, changed] = [
    await service.signIn(bank.code),
    await service.signIn(bank.code),
    await service.signIn(bank.code),
  ]
  return { hotel, bank, shop, erased, frozen, consenting, trackingNo, admin, removed, changed }
}

export type Subjects = Awaited<ReturnType<typeof prepareSubjects>>

/** What must not come undone. */
export async function changeSubjects(service: RestoredService, subjects: Subjects): Promise<void> {
  const { hotel, bank, shop, erased, frozen, consenting, trackingNo, admin, removed, changed } = subjects
  const { operator } = service
  const pathOf = ({ code }: { code: string }) => ({ partner_code: code })
  const { credentials } = (await operator('listCredentials', { path: pathOf(hotel) })).body
  const secret = credentials.find(({ kind }) => kind === 'partner_secret')!
  await operator('revokeCredential', { path: { ...pathOf(hotel), credential_id: secret.id } })
  await operator('rotateCredential', { path: pathOf(hotel), body: { kind: 'secret_token', grace_days: 0 } })
  await operator('rotateWebhookSecret', { path: pathOf(hotel), body: { grace_days: 0 } })
  const baseUrl = service.url + basePathOf('workbench')
  const member = createTransport<WorkbenchOperations>(routes.workbench, { baseUrl, headers: admin.headers })
  await member('removeMember', { path: { member_id: removed.memberId } })
  await member('changeMember', { path: { member_id: changed.memberId }, body: { role: 'viewer' } })
  await operator('resumePartner', { path: pathOf(bank) })
  await operator('suspendPartner', { path: pathOf(bank) })
  await operator('suspendPartner', { path: pathOf(shop) })
  await operator('resumePartner', { path: pathOf(shop) })
  await operator('changePartner', { path: pathOf(bank), body: { scopes: [] } })
  await operator('changePartner', { path: pathOf(bank), body: { name: 'Bank', purpose: 'To test.' } })
  await operator('setSignInRegistration', { path: pathOf(bank), body: REGISTRATION })
  // So that more than one checkpoint is lost.
  await service.exportAudit()
  await consenting.app('revokeAuthorization', { path: { tracking_no: trackingNo } })
  await frozen.setPreferences(true, [hotel.code, shop.code])
  await frozen.setPreferences(true, [bank.code, shop.code])
  await consenting.setPreferences(true, [])
  await consenting.setPreferences(false, [])
  await operator('eraseCitizen', { path: { uniqid: erased.uniqid } })
}

/** `undefined`: the registry does not know the citizen. */
export const preferencesOf = (citizen: Citizen) =>
  citizen.read().catch((error: unknown) => {
    if (error instanceof TiwalaError && error.code === 'not_found') return undefined
    throw error
  })

/** Everything that the changes are about. */
export async function readState(service: RestoredService, subjects: Subjects) {
  const { hotel, bank, shop, erased, frozen, consenting, trackingNo } = subjects
  const { operator } = service
  const status = async ({ code }: { code: string }) =>
    (await operator('readPartner', { path: { partner_code: code } })).body.status
  const { credentials } = (await operator('listCredentials', { path: { partner_code: hotel.code } })).body
  const { authorizations } = (await operator('findAuthorizations', { path: { tracking_no: trackingNo } }))
    .body
  return {
    secrets: Object.fromEntries(credentials.map((each) => [each.kind, each.status])),
    bank: await status(bank),
    shop: await status(shop),
    consent: authorizations[0]!.state,
    frozen: await preferencesOf(frozen),
    consenting: await preferencesOf(consenting),
    erased: await preferencesOf(erased),
  }
}
