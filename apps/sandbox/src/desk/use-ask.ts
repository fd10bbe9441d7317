import { deskOf } from '../http/clients.ts'
import { qrUsed, useShownQr } from '../phone/shown-qr.ts'
import { addRecord, save, saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { firstAnswers } from './first-answers.ts'
import { noteState } from './record-states.ts'

export type Asking = ReturnType<typeof useAsk>

/** The desk asks with a QR value. `scan` takes the one on the phone; undefined while there is none. */
export function useAsk() {
  const { isBusy, error, run, retry, clear } = useAction()
  const qr = useShownQr()
  /** A value made for sharing gives the profile at once. The value itself does not show its purpose. */
  const ask = (qrValue: string, isShared: boolean) =>
    run(async () => {
      const { sandbox } = saved.get()!
      const asked = qr?.value === qrValue ? qr.uniqid : undefined
      const desk = deskOf(sandbox)
      save(sandbox, () => ({ isAsking: true }))
      const asking = isShared ? desk.profileByQr(qrValue) : desk.requestAuthorization(qrValue)
      const answer = await asking
        .finally(() => qrUsed(qrValue))
        .catch((thrown: unknown) => {
          // Without a response there may be a record, as after a reload that ended the request.
          if (thrown instanceof Error && 'status' in thrown) save(sandbox, () => ({ isAsking: false }))
          throw thrown
        })
      save(sandbox, () => ({ isAsking: false }))
      firstAnswers.set(answer.record.tracking_no, answer)
      noteState(answer.record.tracking_no, answer.state)
      addRecord(sandbox, answer.record.tracking_no, asked)
    })
  const scan = qr && (() => ask(qr.value, qr.purpose === 'share'))
  return { isBusy, error, retry, clear, ask, scan, qr }
}
