import { ChevronDown, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { useSearchText } from '#web/lib/url/use-search-text.ts'
import { cx } from '#web/ui/class-names.ts'
import { Menu, MenuCheckItem } from '#web/ui/menu.tsx'
import { SearchField } from '#web/ui/search-field.tsx'

export const CHIP =
  'inline-flex min-h-9 max-w-full items-center gap-1.5 rounded-full border px-3 text-13 whitespace-nowrap transition-colors duration-100 pointer-coarse:min-h-11'

interface FilterBarProps {
  label: string
  placeholder: string
  search: string
  onSearch: (text: string) => void
  children?: ReactNode
  isFiltered: boolean
  onClear: () => void
}

export function FilterBar({ label, placeholder, search, onSearch, children, isFiltered, onClear }: FilterBarProps) {
  return (
    <div role="search" aria-label={label} className="mb-3 flex flex-wrap items-center gap-2">
      <SearchBox label={label} placeholder={placeholder} search={search} onSearch={onSearch} />
      {children}
      {isFiltered && (
        <button
          type="button"
          onClick={onClear}
          className="min-h-9 rounded-6 px-2 text-13 text-ink-2 hover:text-ink-1 hover:underline pointer-coarse:min-h-11"
        >
          {m.ui_filter_clear()}
        </button>
      )}
    </div>
  )
}

type SearchBoxProps = Pick<FilterBarProps, 'label' | 'placeholder' | 'search' | 'onSearch'>

/** The field holds the text, and the URL follows after a pause. */
function SearchBox({ label, placeholder, search, onSearch }: SearchBoxProps) {
  const { text, setText, searchNow } = useSearchText(search, onSearch)
  return (
    <div className="relative min-w-0 flex-1 basis-full sm:max-w-96 sm:basis-64">
      <SearchField label={label} placeholder={placeholder} text={text} onText={setText} onEnter={searchNow} maxLength={100} />
    </div>
  )
}

export interface FilterOption<V extends string> {
  value: V
  label: string
}

interface FilterMenuProps<V extends string> {
  label: string
  options: readonly FilterOption<V>[]
  chosen: readonly V[]
  multiple?: boolean
  onChange: (chosen: V[]) => void
}

export function FilterMenu<V extends string>({ label, options, chosen, multiple = false, onChange }: FilterMenuProps<V>) {
  const names = options.filter(({ value }) => chosen.includes(value)).map((option) => option.label)
  const choose = (value: V) => {
    const has = chosen.includes(value)
    if (multiple) onChange(has ? chosen.filter((each) => each !== value) : [...chosen, value])
    else onChange(has ? [] : [value])
  }
  return (
    <Menu
      label={label}
      align="start"
      trigger={
        <button
          type="button"
          className={cx(
            CHIP,
            names.length > 0 ? 'border-accent text-ink-1' : 'border-line text-ink-2 hover:border-line-strong hover:text-ink-1',
          )}
        >
          <span className="truncate">
            {label}
            {names.length > 0 && <span className="font-medium">: {names.join(` ${m.ui_filter_or()} `)}</span>}
          </span>
          <ChevronDown size={14} aria-hidden="true" className="shrink-0 text-ink-3" />
        </button>
      }
    >
      {options.map(({ value, label: name }) => (
        <MenuCheckItem key={value} isChecked={chosen.includes(value)} multiple={multiple} onSelect={() => choose(value)}>
          {name}
        </MenuCheckItem>
      ))}
    </Menu>
  )
}

export function FilterChip({ label, children, onRemove }: { label: string; children: ReactNode; onRemove: () => void }) {
  return (
    <span className={cx(CHIP, 'border-accent pr-1 text-ink-1')}>
      <span className="truncate">
        {label}: <span className="font-medium">{children}</span>
      </span>
      <button
        type="button"
        aria-label={m.ui_filter_remove({ filter: label })}
        onClick={onRemove}
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-full text-ink-3 hover:bg-surface-2 hover:text-ink-1 pointer-coarse:size-10"
      >
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  )
}
