import type { BootstrapCitizen } from '@tiwala/server/sandbox-bootstrap'
import { ChoiceField, TextField } from '@tiwala/ui/fields'
import { useState } from 'preact/hooks'
import { callSandbox, pathOf } from '../http/clients.ts'
import { recordedFetch } from '../http/exchanges.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { save, saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'

/** A form for a synthetic citizen. An empty middle name or suffix becomes null. */
export function CreateCitizen() {
  const { isBusy, error, run, retry } = useAction()
  const [isOpen, setOpen] = useState(false)
  const create = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => ((form.get(name) ?? '') as string).trim()
    const body = {
      first_name: text('first_name'),
      middle_name: text('middle_name') || null,
      last_name: text('last_name'),
      suffix: text('suffix') || null,
      birth_date: text('birth_date'),
      gender: text('gender'),
      passport: form.has('passport'),
      behavior: text('behavior'),
    }
    run(async () => {
      const { sandbox } = saved.get()!
      const path = pathOf(sandbox, 'citizens')
      const citizen = await callSandbox<BootstrapCitizen>('POST', path, body, recordedFetch('phone'))
      save(sandbox, (now) => ({
        sandbox: { ...now.sandbox, citizens: [...now.sandbox.citizens, citizen] },
        citizen: citizen.uniqid,
      }))
      setOpen(false)
    })
  }
  return (
    <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Create a citizen</summary>
      <form class="form" onSubmit={create}>
        <TextField name="first_name" label="First name" required maxLength={100} />
        <TextField name="middle_name" label="Middle name (empty: null)" maxLength={100} />
        <TextField name="last_name" label="Last name" required maxLength={100} />
        <TextField name="suffix" label="Suffix (empty: null)" maxLength={100} />
        <TextField name="birth_date" label="Birth date" required type="date" />
        <ChoiceField name="gender" label="Gender" options={['female', 'male']} none="" />
        <label class="switch">
          <input type="checkbox" name="passport" />
          <span>Has a passport</span>
        </label>
        <ChoiceField
          name="behavior"
          none=""
          label="Answers requests"
          options={{
            manual: 'here, by hand',
            accepts: 'automatically: accepts',
            declines: 'automatically: declines',
            ignores: 'never',
          }}
        />
        <Button type="submit" class="primary" isOff={isBusy}>
          Create
        </Button>
      </form>
      <ErrorBox error={error} retry={retry} />
    </details>
  )
}
