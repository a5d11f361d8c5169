import { Plus } from 'lucide-react'
import { useState } from 'react'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { CHIP } from './filter-bar.tsx'

export function FilterText({ label, maxLength, onAdd }: { label: string; maxLength: number; onAdd: (text: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const add = () => {
    const value = text.trim()
    setOpen(false)
    setText('')
    if (value !== '') onAdd(value)
  }
  return (
    <Popover
      label={label}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className={`${CHIP} border-dashed border-line text-ink-2 hover:border-line-strong hover:text-ink-1`}>
          <Plus size={14} aria-hidden="true" />
          {label}
        </button>
      }
      className="w-72 max-w-[calc(100vw-16px)] bg-surface-3 p-3"
    >
      <Form onSubmit={add} className="flex gap-2">
        <input
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={maxLength}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          className="field-input min-w-0 flex-1"
        />
        <Button type="submit">{m.ui_filter_add()}</Button>
      </Form>
    </Popover>
  )
}
