import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { cx } from './class-names.ts'

interface TagsInputProps {
  id: string
  value: readonly string[]
  onChange: (tags: string[]) => void
  onBlur?: () => void
  max: number
  maxLength: number
  placeholder?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

/** Adds what is new, up to the limit; a tag that differs only in case is the same tag. */
function withTags(tags: readonly string[], added: readonly string[], max: number): string[] {
  const all = [...tags]
  for (const tag of added.map((text) => text.trim()).filter(Boolean)) {
    const known = all.some((other) => other.toLowerCase() === tag.toLowerCase())
    if (!known && all.length < max) all.push(tag)
  }
  return all
}

/** Several short texts. Enter, Tab, a comma, a paste or leaving the field adds one; Backspace takes the last away. */
export function TagsInput({ id, value, onChange, onBlur, max, maxLength, placeholder, ...aria }: TagsInputProps) {
  const [text, setText] = useState('')
  const full = value.length >= max
  const add = (texts: readonly string[]) => {
    onChange(withTags(value, texts, max))
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key === 'Enter' || event.key === 'Tab' || event.key === ',') && text.trim() !== '') {
      event.preventDefault()
      add([text])
    } else if (event.key === ',') event.preventDefault()
    else if (event.key === 'Backspace' && text === '' && value.length > 0) onChange(value.slice(0, -1))
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text')
    if (!/[,\n]/.test(pasted)) return
    event.preventDefault()
    add((text + pasted).split(/[,\n]/))
  }
  return (
    <div className={cx('field-input flex h-auto flex-wrap gap-1.5 py-1.5', aria['aria-invalid'] && 'field-invalid')}>
      {value.map((tag) => (
        <span key={tag} className="inline-flex items-center gap-0.5 rounded-6 bg-surface-2 pl-2 text-13 text-ink-1">
          {tag}
          <button
            type="button"
            aria-label={`Remove the tag ${tag}`}
            className="flex size-6 items-center justify-center rounded-6 text-ink-3 hover:text-ink-1 pointer-coarse:size-8"
            onClick={() => onChange(value.filter((other) => other !== tag))}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </span>
      ))}
      <input
        {...aria}
        id={id}
        value={text}
        maxLength={maxLength}
        readOnly={full}
        placeholder={value.length === 0 ? placeholder : undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => {
          if (text.trim() !== '') add([text])
          onBlur?.()
        }}
        className="h-6 min-w-24 flex-1 bg-transparent text-inherit outline-none pointer-coarse:h-8"
      />
    </div>
  )
}
