/** The typed text of a tags input, and the events that turn it into tags. */
import { type ChangeEvent, type ClipboardEvent, type CompositionEvent, type KeyboardEvent, useState } from 'react'
import { m } from '#messages'
import { addTags, splitTags, type TagRules } from './tag-list.ts'

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

export function useTypedTags(value: readonly string[], onTags: (tags: string[]) => void, rules: TagRules) {
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
