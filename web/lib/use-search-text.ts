import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** A pause in typing after which the text is searched for. */
const PAUSE_MS = 200

/**
 * The text of a search field, which the address follows after a pause, or at once by `searchNow`. An address that changes otherwise (the back
 * button, a link) changes the field.
 */
export function useSearchText(asked: string, search: (text: string) => void) {
  const [text, setText] = useState(asked)
  const searched = useRef(asked)
  const searchNow = () => {
    if (text === searched.current) return
    searched.current = text
    search(text)
  }
  const onPause = useEffectEvent(searchNow)
  useEffect(() => {
    if (asked === searched.current) return
    searched.current = asked
    setText(asked)
  }, [asked])
  useEffect(() => {
    if (text === searched.current) return undefined
    const { pathname } = location
    const timer = setTimeout(() => {
      // Do not replace a navigation in progress.
      if (location.pathname === pathname) onPause()
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, setText, searchNow }
}
