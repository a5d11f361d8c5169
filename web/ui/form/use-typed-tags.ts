/** The text in a tags input that is no tag yet, and what makes a tag of it. */
import { type ChangeEvent, type ClipboardEvent, type CompositionEvent, type KeyboardEvent, useState } from 'react'
import { m } from '#messages'
import { addTags, splitTags, type TagRules } from './tag-list.ts'

function useTyped(value: readonly string[], onTags: (tags: string[]) => void, rules: TagRules) {
  const [text, setText] = useState('')
  const [reason, setReason] = useState<string>()
  const [said, setSaid] = useState('')

  /** What can't be added stays typed, before `rest`. Returns whether all was added. */
  const add = (texts: readonly string[], rest = ''): boolean => {
    const { tags, added, rejected, reason: why } = addTags(value, texts, rules)
    if (added.length > 0) {
      onTags(tags)
      setSaid(m.ui_tags_added({ tags: added.join(', '), count: tags.length, max: rules.max }))
    }
    setReason(why)
    setText([...rejected, ...(rest === '' ? [] : [rest])].join(`${rules.delimiters[0] ?? ''} `))
    return rejected.length === 0
  }
  const remove = (index: number) => {
    const tags = value.filter((_, place) => place !== index)
    onTags(tags)
    setSaid(m.ui_tags_removed({ tag: value[index] ?? '', count: tags.length, max: rules.max }))
    // There may be room now for a rejected tag.
    setReason(undefined)
  }
  const type = (typed: string) => {
    setText(typed)
    setReason(undefined)
  }
  return { text, reason, said, add, remove, type }
}

export function useTypedTags(value: readonly string[], onTags: (tags: string[]) => void, rules: TagRules) {
  const typed = useTyped(value, onTags, rules)
  const { text, add, remove, type } = typed
  const endsIn = (each: string) => Array.from(each).filter((sign) => rules.delimiters.includes(sign)).length

  const finish = () => text.trim() === '' || add(splitTags(text, rules.delimiters))
  /** Adds what stands before a new delimiter. */
  const take = (now: string, before: string) => {
    if (endsIn(now) <= endsIn(before)) type(now)
    else {
      const pieces = splitTags(now, rules.delimiters)
      add(pieces.slice(0, -1), pieces.at(-1)?.trimStart())
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // The input method's keys. Safari says so only by the key's number.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const isTyped = text.trim() !== ''
    if (event.key === 'Enter' && isTyped) {
      event.preventDefault()
      finish()
    } else if (event.key === 'Tab' && !event.shiftKey && isTyped) {
      // What can't be added does not trap the focus.
      if (finish()) event.preventDefault()
    } else if (event.key === 'Backspace' && text === '' && value.length > 0 && !event.repeat) remove(value.length - 1)
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text')
    // One word pasted into others is only typing.
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
      if ((nativeEvent as InputEvent).isComposing) type(target.value)
      else take(target.value, text)
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement>) => take(currentTarget.value, ''),
  }
}
