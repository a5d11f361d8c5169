import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { searchKey } from '#contract/text/search-key.ts'
import { ServerIcon } from './server-icon.tsx'

const MIN_FOR_SEARCH = 7

interface ServerChoiceProps {
  name: string
  isOn: boolean
  onChoose: () => void
  title: string
  note: string | undefined
  children?: ReactNode
}

/** A radio button with what belongs to it: all servers, or selected ones. */
export function ServerChoice({ name, isOn, onChoose, title, note, children }: ServerChoiceProps) {
  return (
    <div className="border-t border-line first:border-t-0">
      <label className="flex cursor-pointer items-start gap-3 px-3 py-2.5 hover:bg-surface-2/50">
        <input type="radio" name={name} checked={isOn} onChange={onChoose} className="mt-1 size-4 shrink-0 accent-(--accent)" />
        <span className="min-w-0">
          <span className="block break-words">{title}</span>
          {note !== undefined && <span className="block text-13 text-ink-3">{note}</span>}
        </span>
      </label>
      {isOn && children}
    </div>
  )
}

/** With a search from a few servers on. */
export function ServerChecklist({
  servers,
  ids,
  onChange,
}: {
  servers: readonly Server[]
  ids: readonly string[]
  onChange: (ids: string[]) => void
}) {
  const [query, setQuery] = useState('')
  const search = searchKey(query)
  const found = servers.filter(({ name, public_id }) => searchKey(name).includes(search) || searchKey(public_id) === search)
  if (servers.length === 0) return <p className="px-3 pb-3 text-13 text-ink-3">{m.servers_checklist_none()}</p>
  return (
    <div className="border-t border-line">
      {servers.length >= MIN_FOR_SEARCH && (
        <label className="flex items-center gap-2 border-b border-line px-3 text-ink-3 focus-within:text-ink-1">
          <Search size={15} className="shrink-0" aria-hidden="true" />
          <span className="sr-only">{m.servers_checklist_search()}</span>
          <input
            type="search"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              // Enter searches; only the form's button submits.
              if (event.key === 'Enter') event.preventDefault()
            }}
            placeholder={m.servers_checklist_search_by()}
            className="min-h-10 w-full bg-transparent text-ink-1 outline-none placeholder:text-ink-3"
          />
        </label>
      )}
      <ul className="max-h-64 overflow-auto py-1">
        {found.map((server) => (
          <li key={server.public_id}>
            <label className="flex cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-surface-2/50 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                checked={ids.includes(server.public_id)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...ids, server.public_id] : ids.filter((id) => id !== server.public_id))
                }
                className="size-4 shrink-0 accent-(--accent)"
              />
              <ServerIcon server={server} />
              <span className="min-w-0 flex-1 truncate">{server.name}</span>
              <span className="font-mono text-12 text-ink-3">{server.public_id}</span>
            </label>
          </li>
        ))}
        {found.length === 0 && <li className="px-3 py-2 text-13 text-ink-3">{m.servers_checklist_none_found()}</li>}
      </ul>
      <p role="status" className="sr-only">
        {search === '' ? '' : m.servers_checklist_found({ count: found.length })}
      </p>
    </div>
  )
}
