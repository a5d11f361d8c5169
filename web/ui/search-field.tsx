import { Search } from 'lucide-react'
import { useId } from 'react'
import { Kbd } from './kbd.tsx'

interface SearchFieldProps {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  onEnter?: () => void
  maxLength?: number
}

/** `/` focuses it. Escape clears it, or leaves it if it is empty. The parent is positioned. */
export function SearchField({ label, placeholder, text, onText, onEnter, maxLength }: SearchFieldProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search size={15} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3" />
      <input
        id={id}
        type="search"
        data-search
        maxLength={maxLength}
        value={text}
        placeholder={placeholder}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter?.()
          if (event.key !== 'Escape') return
          if (text === '') event.currentTarget.blur()
          else onText('')
        }}
        className="field-input peer pr-10 pl-9 text-ellipsis"
      />
      <span className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 peer-focus:hidden pointer-coarse:hidden">
        <Kbd>/</Kbd>
      </span>
    </>
  )
}
