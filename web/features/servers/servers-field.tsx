import { ServerIcon } from './server-marks.tsx'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import type { Control, FieldValues, Path } from 'react-hook-form'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { searchKey } from '#contract/text/search-key.ts'
import { FieldGroup, useField } from '#web/ui/form/fields.tsx'
import { Option } from '#web/ui/form/option.tsx'
import { WarnNote } from '#web/ui/states.tsx'

const MIN_FOR_SEARCH = 7

interface ServersFieldProps<T extends FieldValues> {
  form: { readonly control: Control<T> }
  /** Its value is a list of public IDs; null for all servers. */
  name: Path<T>
  legend: string
  legendClass?: string
  servers: readonly Server[]
  /** The owner's name, if it is another user. */
  owner?: string | undefined
  /** Shown while nothing is selected. */
  noneNote?: string
}

/** All servers of an owner, or selected ones. */
export function ServersField<T extends FieldValues>({ form, name, legend, legendClass, servers, owner, noneNote }: ServersFieldProps<T>) {
  const radio = useId()
  const { value, onChange, error } = useField(form, name)
  // Choosing all servers and back keeps the selection.
  const [last, setLast] = useState<readonly string[]>([])
  const isAll = value === null
  // The list may contain servers that were deleted since.
  const ids = ((value ?? []) as readonly string[]).filter((id) => servers.some(({ public_id }) => public_id === id))
  return (
    <FieldGroup legend={legend} error={error} {...(legendClass && { className: legendClass })}>
      <div className="overflow-hidden rounded-6 border border-line">
        <Option
          type="radio"
          name={radio}
          checked={isAll}
          onChange={() => {
            setLast(ids)
            onChange(null)
          }}
          title={owner === undefined ? m.benefits_servers_all() : m.benefits_servers_all_of({ owner })}
          hint={owner === undefined ? m.benefits_servers_all_hint() : m.benefits_servers_all_hint_owner({ owner })}
        />
        <Option
          type="radio"
          name={radio}
          checked={!isAll}
          onChange={() => onChange(last)}
          title={m.benefits_servers_selected()}
          hint={isAll ? undefined : m.benefits_servers_selected_count({ count: ids.length, max: servers.length })}
          className="border-t border-line"
        />
        {!isAll && <ServerChecklist servers={servers} ids={ids} onChange={onChange} />}
      </div>
      {noneNote !== undefined && !isAll && ids.length === 0 && servers.length > 0 && <WarnNote className="mt-2">{noneNote}</WarnNote>}
    </FieldGroup>
  )
}

/** With a search from a few servers on. */
function ServerChecklist({
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
