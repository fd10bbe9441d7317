import type { Service } from '../../operation.ts'
import { writeUse } from './store.ts'

/** Of many requests at once, one is enough. */
const underWay = new Set<string>()

/** Writes down that a secret was used on this day. Nobody waits for it, and what fails is made up for by the next use. */
export function recordUse({ db, log }: Service, partnerId: number, mac: string, day: string): void {
  if (underWay.has(mac)) return
  underWay.add(mac)
  void writeUse(db, partnerId, mac, day)
    .catch(({ name }: Error) => log.warn({ name }, 'the use of a credential was not noted'))
    .finally(() => underWay.delete(mac))
}
