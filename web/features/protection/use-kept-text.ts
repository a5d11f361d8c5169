import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meOptions } from '#web/features/session/session.api.ts'
import { dropDraft, keepDraft, readDraft } from '#web/lib/drafts.ts'

/** What somebody types, kept in this tab until it is sent: neither a session that ends nor a step to another page costs it. */
export function useKeptText(name: string): { text: string; type: (text: string) => void; drop: () => void } {
  const { data: me } = useSuspenseQuery(meOptions)
  const key = `${me.id}.${name}`
  const [text, setText] = useState(() => {
    const kept = readDraft(key)?.['text']
    return typeof kept === 'string' ? kept : ''
  })
  const type = (next: string) => {
    setText(next)
    if (next === '') dropDraft(key)
    else keepDraft(key, { text: next })
  }
  return { text, type, drop: () => type('') }
}
