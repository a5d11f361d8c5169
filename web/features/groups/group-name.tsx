import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { GROUP_NAME, GroupInput } from '#contract/groups.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'

interface GroupNameProps {
  label: string
  /** What stands in it at first. */
  name?: string
  submit: string
  busy: boolean
  /** Takes the name; what it throws is said on the field. */
  onSubmit: (name: string) => Promise<unknown>
  /** Left out, there is no way back but another one. */
  onCancel?: () => void
  /** Opened by whoever asked for it: typing begins here. */
  focusFirst?: boolean
}

/** A group's name and the button that takes it. No form of its own: it stands in others, whose Enter it keeps for itself. */
export function GroupName({ label, name = '', submit, busy, onSubmit, onCancel, focusFirst = false }: GroupNameProps) {
  const [text, setText] = useState(name)
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focusFirst) input.current?.select()
  }, [focusFirst])
  const take = useSingly(async () => {
    const checked = GroupInput.safeParse({ name: text })
    try {
      if (!checked.success) throw new Error(checked.error.issues[0]?.message)
      await onSubmit(checked.data.name)
      // What was typed meanwhile is another name.
      setText((now) => (now === text ? name : now))
      setProblem(undefined)
    } catch (error) {
      setProblem(messageOf(error))
      input.current?.focus()
    }
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      take()
    } else if (event.key === 'Escape' && onCancel) {
      event.stopPropagation()
      onCancel()
    }
  }
  return (
    <Field label={label} error={problem} aside={`${Array.from(text).length} / ${GROUP_NAME.max}`}>
      {(props) => (
        <div className="flex flex-wrap gap-2">
          <input
            {...props}
            ref={input}
            value={text}
            autoComplete="off"
            placeholder="Night City servers"
            onChange={({ target }) => {
              setText(target.value)
              setProblem(undefined)
            }}
            onKeyDown={onKeyDown}
            className="field-input w-auto! min-w-44 flex-1"
          />
          <Button busy={busy} onClick={take}>
            {submit}
          </Button>
          {onCancel && (
            <Button look="quiet" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
