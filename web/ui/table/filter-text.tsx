import { Plus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { CHIP } from './filter-bar.tsx'

export function FilterText({ label, maxLength, onAdd }: { label: string; maxLength: number; onAdd: (text: string) => void }) {
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const add = () => {
    const value = text.trim()
    popover.current?.hidePopover()
    setText('')
    if (value !== '') onAdd(value)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className={`${CHIP} border-dashed border-line text-ink-2 hover:border-line-strong hover:text-ink-1`}
      >
        <Plus size={14} aria-hidden="true" />
        {label}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        onToggle={(event) => {
          if (event.newState !== 'open' || !popover.current || !button.current) return
          const { left, bottom } = button.current.getBoundingClientRect()
          popover.current.style.top = `${bottom + 4}px`
          popover.current.style.left = `${Math.max(8, Math.min(left, innerWidth - popover.current.offsetWidth - 8))}px`
          field.current?.focus()
        }}
        className="fixed inset-auto m-0 w-72 max-w-[calc(100vw-16px)] rounded-10 border border-line bg-surface-3 p-3 text-ink-1 shadow-overlay"
      >
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <input
            ref={field}
            aria-label={label}
            placeholder={label}
            value={text}
            maxLength={maxLength}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            className="field-input min-w-0 flex-1"
          />
          <Button type="submit">{m.ui_filter_add()}</Button>
        </form>
      </div>
    </>
  )
}
