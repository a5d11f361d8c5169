import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { FieldError } from './field-error.tsx'
import { useTypedTags } from './use-typed-tags.ts'

interface TagsInputProps {
  id: string
  value: readonly string[]
  onChange: (tags: string[]) => void
  onBlur?: () => void
  /** Receives the typed text that is not a tag yet. */
  onPendingText?: ((text: string) => void) | undefined
  max: number
  /** In code points. */
  maxLength: number
  placeholder?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

const COMMA = [','] as const

/** Text that can't be added stays in the field, with the reason below it. */
export function TagsInput({ id, value, onChange, onBlur, onPendingText, placeholder, max, maxLength, ...aria }: TagsInputProps) {
  const box = useRef<HTMLDivElement>(null)
  const typed = useTypedTags(value, onChange, { max, maxLength, allowDuplicates: false, delimiters: COMMA })
  const { text, reason, announcement } = typed
  const pending = text.trim()
  useEffect(() => {
    onPendingText?.(pending)
    return () => onPendingText?.('')
  }, [pending, onPendingText])
  const reasonId = `${id}-reason`
  const remove = (index: number) => {
    typed.remove(index)
    // Focuses the next tag, else the last one, else the field.
    requestAnimationFrame(() => {
      const buttons = box.current?.querySelectorAll('button') ?? []
      const next = buttons[Math.min(index, buttons.length - 1)] ?? box.current?.querySelector('input')
      next?.focus()
    })
  }
  const isInvalid = aria['aria-invalid'] === true || reason !== undefined
  return (
    <>
      <div ref={box} className={cx('field-input flex h-auto flex-wrap gap-1.5 py-1.5', isInvalid && 'border-danger')}>
        {value.map((tag, index) => (
          <Tag key={`${tag} ${index}`} tag={tag} onRemove={() => remove(index)} />
        ))}
        <input
          {...aria}
          id={id}
          value={text}
          autoComplete="off"
          enterKeyHint="done"
          aria-invalid={isInvalid || undefined}
          aria-describedby={[reason !== undefined && reasonId, aria['aria-describedby']].filter(Boolean).join(' ') || undefined}
          placeholder={value.length === 0 ? placeholder : undefined}
          onChange={typed.onChange}
          onCompositionEnd={typed.onCompositionEnd}
          onKeyDown={typed.onKeyDown}
          onPaste={typed.onPaste}
          onBlur={() => {
            typed.finish()
            onBlur?.()
          }}
          className="h-6 min-w-24 flex-1 bg-transparent text-inherit outline-none placeholder:text-ink-3 pointer-coarse:h-8"
        />
      </div>
      <FieldError id={reasonId}>{reason}</FieldError>
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </>
  )
}

function Tag({ tag, onRemove }: { tag: string; onRemove: () => void }) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5 rounded-6 bg-surface-2 pl-2 text-13 text-ink-1">
      <span className="min-w-0 [overflow-wrap:anywhere]">{tag}</span>
      <button
        type="button"
        aria-label={m.ui_tags_remove({ tag })}
        className="flex size-6 shrink-0 items-center justify-center rounded-6 text-ink-3 hover:text-ink-1 pointer-coarse:size-8"
        onClick={onRemove}
      >
        <X size={12} aria-hidden="true" />
      </button>
    </span>
  )
}
