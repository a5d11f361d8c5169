import { X } from 'lucide-react'
import { type ChangeEvent, type ClipboardEvent, type CompositionEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { FieldError } from './fields.tsx'
import { addTags, splitTags, type TagRules } from './tag-list.ts'

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

/** The typed text that is not a tag yet. */
function useTypedText(value: readonly string[], onTags: (tags: string[]) => void, rules: TagRules) {
  const [text, setText] = useState('')
  const [reason, setReason] = useState<string>()
  const [announcement, setAnnouncement] = useState('')

  /** Keeps rejected texts in the field, before `rest`. Returns whether all texts were added. */
  const add = (texts: readonly string[], rest = ''): boolean => {
    const { tags, added, rejected, reason: rejectionReason } = addTags(value, texts, rules)
    if (added.length > 0) {
      onTags(tags)
      setAnnouncement(m.ui_tags_added({ tags: added.join(', '), count: tags.length, max: rules.max }))
    }
    setReason(rejectionReason)
    setText([...rejected, ...(rest === '' ? [] : [rest])].join(`${rules.delimiters[0] ?? ''} `))
    return rejected.length === 0
  }
  const remove = (index: number) => {
    const tags = value.filter((_, each) => each !== index)
    onTags(tags)
    setAnnouncement(m.ui_tags_removed({ tag: value[index] ?? '', count: tags.length, max: rules.max }))
    // A rejected tag may fit now.
    setReason(undefined)
  }
  const edit = (edited: string) => {
    setText(edited)
    setReason(undefined)
  }
  return { text, reason, announcement, add, remove, edit }
}

/** The events that turn typed text into tags. */
function useTypedTags(value: readonly string[], onTags: (tags: string[]) => void, rules: TagRules) {
  const typed = useTypedText(value, onTags, rules)
  const { text, add, remove, edit } = typed
  const delimitersIn = (each: string) => Array.from(each).filter((char) => rules.delimiters.includes(char)).length

  const finish = () => text.trim() === '' || add(splitTags(text, rules.delimiters))
  /** Adds the text before a new delimiter. */
  const update = (current: string, previous: string) => {
    if (delimitersIn(current) <= delimitersIn(previous)) edit(current)
    else {
      const pieces = splitTags(current, rules.delimiters)
      add(pieces.slice(0, -1), pieces.at(-1)?.trimStart())
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Keys of an input method editor. Safari marks them only by key code 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const hasText = text.trim() !== ''
    if (event.key === 'Enter' && hasText) {
      event.preventDefault()
      finish()
    } else if (event.key === 'Tab' && !event.shiftKey && hasText) {
      // A rejected text must not trap the focus.
      if (finish()) event.preventDefault()
    } else if (event.key === 'Backspace' && text === '' && value.length > 0 && !event.repeat) remove(value.length - 1)
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text')
    // A single word pasted into other text counts as typing.
    if (pasted.trim() === '' || (splitTags(pasted, rules.delimiters).length === 1 && text !== '')) return
    event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget
    const whole = text.slice(0, selectionStart ?? text.length) + pasted + text.slice(selectionEnd ?? text.length)
    add(splitTags(whole, rules.delimiters))
  }
  return {
    ...typed,
    finish,
    onKeyDown,
    onPaste,
    onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
      if ((nativeEvent as InputEvent).isComposing) edit(target.value)
      else update(target.value, text)
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement>) => update(currentTarget.value, ''),
  }
}
