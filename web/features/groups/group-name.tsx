import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { GROUP_NAME, type Group, GroupInput } from '#contract/servers/groups.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { useCreateGroup } from './groups.api.ts'

/** The result of a submit that needs another decision first. */
export const KEEP_TEXT = Symbol('keep the text')

interface GroupNameFieldProps {
  label: string
  name?: string
  submit: string
  busy: boolean
  onSubmit: (name: string) => Promise<unknown>
  onCancel: (() => void) | undefined
  focusFirst: boolean
}

/** A name field with its button. It is used inside forms, so it is not a form and handles Enter itself. */
export function GroupNameField({ label, name = '', submit, busy, onSubmit, onCancel, focusFirst }: GroupNameFieldProps) {
  const [text, setText] = useState(name)
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focusFirst) input.current?.select()
  }, [focusFirst])
  const submitName = useSingleFlight(async () => {
    const checked = GroupInput.safeParse({ name: text })
    try {
      if (!checked.success) throw new Error(checked.error.issues[0]?.message)
      if ((await onSubmit(checked.data.name)) === KEEP_TEXT) return
      // Keeps text typed during the request.
      setText((current) => (current === text ? name : current))
      setError(undefined)
    } catch (reason) {
      setError(messageOf(reason))
      input.current?.focus()
    }
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      submitName()
    } else if (event.key === 'Escape' && onCancel) {
      event.stopPropagation()
      onCancel()
    }
  }
  return (
    <Field label={label} error={error} aside={`${Array.from(text).length} / ${GROUP_NAME.max}`}>
      {(props) => (
        <div className="flex flex-wrap gap-2">
          <input
            {...props}
            ref={input}
            value={text}
            autoComplete="off"
            placeholder={m.groups_placeholder()}
            onChange={({ target }) => {
              setText(target.value)
              setError(undefined)
            }}
            onKeyDown={onKeyDown}
            className="field-input w-auto! min-w-44 flex-1"
          />
          <Button busy={busy} onClick={submitName}>
            {submit}
          </Button>
          {onCancel && (
            <Button variant="quiet" onClick={onCancel}>
              {m.common_cancel()}
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}

export function NewGroup({ onCreated, onCancel }: { onCreated: (group: Group) => void; onCancel?: () => void }) {
  const create = useCreateGroup()
  return (
    <GroupNameField
      label={m.groups_new()}
      submit={m.groups_create()}
      busy={create.isPending}
      focusFirst={onCancel !== undefined}
      onCancel={onCancel}
      onSubmit={async (name) => onCreated(await create.mutateAsync(name))}
    />
  )
}
