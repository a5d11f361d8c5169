import { useEffect, useEffectEvent, useRef, useState } from 'react'

const DEBOUNCE_MS = 200

/**
 * The text of a search field. The URL follows the field after a debounce, or at once with `searchNow`. The field follows the URL when a link
 * or the back button changes it.
 */
export function useSearchText(urlText: string, search: (text: string) => void) {
  const [text, setText] = useState(urlText)
  const lastSearch = useRef(urlText)
  const searchNow = () => {
    if (text === lastSearch.current) return
    lastSearch.current = text
    search(text)
  }
  const onPause = useEffectEvent(searchNow)
  useEffect(() => {
    if (urlText === lastSearch.current) return
    lastSearch.current = urlText
    setText(urlText)
  }, [urlText])
  useEffect(() => {
    if (text === lastSearch.current) return undefined
    const { pathname } = location
    const timer = setTimeout(() => {
      // Do not replace a navigation in progress.
      if (location.pathname === pathname) onPause()
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, setText, searchNow }
}
