import { ChevronDown, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { Menu, MenuCheckItem } from '#web/ui/menu.tsx'
import { ListSearch } from './list-search.tsx'
import type { AnyList } from './use-list.ts'

const CHIP =
  'inline-flex min-h-9 max-w-full items-center gap-1.5 rounded-full border px-3 text-13 whitespace-nowrap transition-colors duration-100 pointer-coarse:min-h-11'

/** What narrows a list by one of its URL's filters. */
export interface ListFilter<R, N extends string = string> {
  name: N
  label: string
  /** Chosen from a menu. */
  options?: readonly { value: string; label: string }[]
  /** Typed, several of at most this length. */
  maxLength?: number
  /** The name of a row that a link filters by, found in the shown rows. Such a filter can only be removed. */
  nameOf?: (rows: readonly R[], id: string) => string | undefined
}

export interface FilterBarProps<R> {
  list: AnyList
  rows: readonly R[]
  searchLabel: string
  placeholder: string
  filters: readonly ListFilter<R>[]
}

export function FilterBar<R>({ list, rows, searchLabel, placeholder, filters }: FilterBarProps<R>) {
  return (
    <div role="search" aria-label={searchLabel} className="mb-3 flex flex-wrap items-center gap-2">
      <ListSearch list={list} label={searchLabel} placeholder={placeholder} className="basis-full sm:max-w-96 sm:basis-64" />
      {filters.map((filter) => (
        <ListFilterControl key={filter.name} filter={filter} list={list} rows={rows} />
      ))}
      {list.isFiltered && (
        <button
          type="button"
          onClick={list.clearFilters}
          className="min-h-9 rounded-6 px-2 text-13 text-ink-2 hover:text-ink-1 hover:underline pointer-coarse:min-h-11"
        >
          {m.ui_filter_clear()}
        </button>
      )}
    </div>
  )
}

function ListFilterControl<R>({ filter, list, rows }: { filter: ListFilter<R>; list: AnyList; rows: readonly R[] }) {
  const { name, label, options, maxLength, nameOf } = filter
  const { multiple = false, max = 1 } = list.filters[name] ?? {}
  const chosen = list.valuesOf(name)
  const change = (values: readonly string[]) => list.change({ [name]: multiple ? values : values[0] })
  if (options) return <FilterMenu label={label} options={options} chosen={chosen} multiple={multiple} onChange={change} />
  return (
    <>
      {maxLength !== undefined && chosen.length < max && (
        <FilterText label={label} maxLength={maxLength} onAdd={(text) => change([...new Set([...chosen, text])])} />
      )}
      {chosen.map((value) => (
        <FilterChip key={value} label={label} onRemove={() => change(chosen.filter((each) => each !== value))}>
          {nameOf ? (nameOf(rows, value) ?? `${value.slice(0, 8)}…`) : value}
        </FilterChip>
      ))}
    </>
  )
}

interface FilterMenuProps {
  label: string
  options: readonly { value: string; label: string }[]
  chosen: readonly string[]
  multiple: boolean
  onChange: (chosen: string[]) => void
}

function FilterMenu({ label, options, chosen, multiple, onChange }: FilterMenuProps) {
  const names = options.filter(({ value }) => chosen.includes(value)).map((option) => option.label)
  const choose = (value: string) => {
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

function FilterChip({ label, children, onRemove }: { label: string; children: ReactNode; onRemove: () => void }) {
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

/** Enter adds the text. */
function FilterText({ label, maxLength, onAdd }: { label: string; maxLength: number; onAdd: (text: string) => void }) {
  return (
    <input
      aria-label={label}
      placeholder={`${label}…`}
      maxLength={maxLength}
      enterKeyHint="done"
      autoComplete="off"
      onKeyDown={({ key, currentTarget: field }) => {
        const text = field.value.trim()
        if (key !== 'Enter' || text === '') return
        field.value = ''
        onAdd(text)
      }}
      className={cx(CHIP, 'w-28 border-line text-ink-1 placeholder:text-ink-2 hover:border-line-strong')}
    />
  )
}
