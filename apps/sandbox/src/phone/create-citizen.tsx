import type { BootstrapCitizen } from '@tiwala/server/sandbox-bootstrap'
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
        <Field name="first_name" label="First name" required />
        <Field name="middle_name" label="Middle name (empty: null)" />
        <Field name="last_name" label="Last name" required />
        <Field name="suffix" label="Suffix (empty: null)" />
        <label class="field">
          Birth date <input name="birth_date" type="date" required />
        </label>
        <Select name="gender" label="Gender" options={{ female: 'female', male: 'male' }} />
        <label class="switch">
          <input type="checkbox" name="passport" />
          <span>Has a passport</span>
        </label>
        <Select
          name="behavior"
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

function Field({ name, label, required = false }: { name: string; label: string; required?: boolean }) {
  return (
    <label class="field">
      {label} <input name={name} required={required} maxLength={100} autocomplete="off" />
    </label>
  )
}

function Select({ name, label, options }: { name: string; label: string; options: Record<string, string> }) {
  return (
    <label class="field">
      {label}{' '}
      <select name={name}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
