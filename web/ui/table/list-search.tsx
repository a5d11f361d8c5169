import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { Kbd } from '#web/ui/kbd.tsx'
import type { AnyList } from './use-list.ts'

interface ListSearchProps {
  list: Pick<AnyList, 'state' | 'change'>
  label: string
  placeholder: string
  className: string
}

/** `/` focuses it. Escape clears it, or leaves it if it is empty. */
export function ListSearch({ list, label, placeholder, className }: ListSearchProps) {
  const { text, setText, searchNow } = useSearchText(list.state.search, (search) => list.change({ search }, true))
  return (
    <div className={cx('relative min-w-0 flex-1', className)}>
      <Search size={15} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3" />
      <input
        type="search"
        data-search
        aria-label={label}
        maxLength={100}
        value={text}
        placeholder={placeholder}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') searchNow()
          if (key !== 'Escape') return
          if (text === '') currentTarget.blur()
          else setText('')
        }}
        className="field-input peer pr-10 pl-9 text-ellipsis"
      />
      <span className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 peer-focus:hidden pointer-coarse:hidden">
        <Kbd>/</Kbd>
      </span>
    </div>
  )
}

const DEBOUNCE_MS = 200

/**
 * The text of a search field. The URL follows the field after a debounce, or at once with `searchNow`. The field follows the URL when a link
 * or the back button changes it.
 */
function useSearchText(urlText: string, search: (text: string) => void) {
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
