import type { Service } from '../../operation.ts'
import { isQrValue } from '../../secrets/artefact.ts'
import { findShareable, type Shareable } from './store.ts'

/**
 * What a QR value made for sharing would give now, whoever asks. Nothing is used up: the statement that uses it up asks whether this
 * partner may. Read while the partner is being proved, it saves a round trip.
 */
export async function readShared({ db, keys }: Service, qrValue: unknown): Promise<Shareable | undefined> {
  if (typeof qrValue !== 'string' || !isQrValue(qrValue)) return undefined
  return findShareable(db, { macs: keys.macs('qr_value', qrValue) })
}
