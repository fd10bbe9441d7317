import type { Service } from '../../operation.ts'
import { isQrValue } from '../../secrets/artefact.ts'
import { findShareable, type Shareable } from './store.ts'

/**
 * What a QR value made for sharing would disclose now to the partner that has this secret code. It is read while the partner is being
 * authenticated, which saves a round trip. Nothing is used up: the statement that uses the value up checks everything again.
 */
export async function readShared({ db, keys }: Service, secretCode: string, qrValue: unknown): Promise<Shareable | undefined> {
  if (typeof qrValue !== 'string' || !isQrValue(qrValue)) return undefined
  return findShareable(db, { macs: keys.macs('qr_value', qrValue), secretCode })
}
