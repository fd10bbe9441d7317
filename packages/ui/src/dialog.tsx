import { type ComponentChildren, render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { hideToast } from './toast.ts'

type DialogProps = {
  title: string
  /** Also after Escape. `value`: that of the button that closed it. */
  onClose: (value: string) => void
  /** Its act runs. The dialog stays until the outcome is known. */
  isBusy?: boolean
  children: ComponentChildren
}

/** In front of the page. When it closes, the focus returns to where it was. */
export function Dialog({ title, onClose, isBusy, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    // It would say behind the dialog what was done before.
    hideToast()
    dialog.current!.showModal()
  }, [])
  return (
    <dialog
      class="card"
      aria-label={title}
      ref={dialog}
      onClose={({ currentTarget }) => onClose(currentTarget.returnValue)}
      onCancel={(event) => isBusy && event.preventDefault()}
      // At the second Escape, Chromium closes a dialog without the event `cancel`.
      onKeyDown={(event) => isBusy && event.key === 'Escape' && event.preventDefault()}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}

type Question = {
  /** The act with what it is about. */
  title: string
  text: string
  /** The act, as its button says it. */
  act: string
  tone?: string
}

/** Asks before an act, and says whether the person agrees. */
export const ask = ({ title, text, act, tone = 'bad' }: Question) =>
  new Promise<boolean>((resolve) => {
    const host = document.body.appendChild(document.createElement('div'))
    const close = (value: string) => {
      render(null, host)
      host.remove()
      resolve(value === act)
    }
    render(
      <Dialog title={title} onClose={close}>
        <form method="dialog" class="act">
          <p>{text}</p>
          <p class="row">
            <button class={`button primary ${tone}`} value={act}>
              {act}
            </button>
            <button class="button" autofocus>
              Cancel
            </button>
          </p>
        </form>
      </Dialog>,
      host,
    )
  })
