import { Search } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { useHotkeys } from '#web/lib/hotkeys.ts'
import { useSearchText } from '#web/lib/use-search-text.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import type { ManagedGroup } from './managed/managed-groups.ts'
import { PermissionChips } from './managed/permission-chips.tsx'
import { ServerColumns, ServerRow } from './server-row.tsx'

interface ServerListProps {
  servers: readonly Server[]
  managed?: readonly ManagedGroup[]
  graphOf: (server: Server) => ReactNode
  /** The search text in the URL. */
  query: string
  onSearch: (text: string) => void
}

export function ServerList({ servers, managed = [], graphOf, query, onSearch }: ServerListProps) {
  const { text: search, setText: setSearch } = useSearchText(query, onSearch)
  useHotkeys({ j: () => focusRow(1), k: () => focusRow(-1) })
  const matching = servers.filter((server) => matches(server, search))
  // Without a search, owners without servers are shown too.
  const groups = managed
    .map((group) => ({ ...group, servers: group.servers.filter((server) => matches(server, search)) }))
    .filter((group) => group.servers.length > 0 || search.trim() === '')
  const matchCount = groups.reduce((sum, group) => sum + group.servers.length, matching.length)
  const totalCount = managed.reduce((sum, group) => sum + group.servers.length, servers.length)
  const rowsOf = (rows: readonly Server[]) => (
    <div role="rowgroup" className="divide-y divide-line">
      {rows.map((server) => (
        <ServerRow key={server.public_id} server={server} graph={graphOf(server)} />
      ))}
    </div>
  )
  return (
    <>
      <section aria-label={m.servers_list_own()}>
        {totalCount > 0 && <SearchBox search={search} onSearch={setSearch} found={matchCount} />}
        {totalCount > 0 && matchCount === 0 && (
          <EmptyState title={m.servers_list_none()} action={<Button onClick={() => setSearch('')}>{m.servers_list_clear()}</Button>}>
            {m.servers_list_none_hint({ count: totalCount })}
          </EmptyState>
        )}
        {matching.length > 0 && (
          <div role="table" aria-label={m.nav_servers()} className="card overflow-hidden">
            <ServerColumns />
            {rowsOf(matching)}
          </div>
        )}
      </section>
      {groups.map((group, index) => (
        <ManagedServers key={group.owner.id} group={group}>
          {/* The page shows the column names once. */}
          {matching.length === 0 && index === 0 && <ServerColumns />}
          {rowsOf(group.servers)}
        </ManagedServers>
      ))}
    </>
  )
}

function ManagedServers({ group: { owner, permissions, servers }, children }: { group: ManagedGroup; children: ReactNode }) {
  const { username } = owner.discord
  const id = `owner-${owner.id}`
  return (
    <section aria-labelledby={id} className="mt-6">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="flex min-w-0 items-center gap-2 text-14">
          <Avatar user={owner.discord} size={24} />
          <span className="min-w-0 truncate" title={username}>
            <span className="text-ink-3">{m.managed_page_for()} </span>
            <span className="font-medium">{username}</span>
          </span>
        </h2>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-12 text-ink-3">
          <span aria-hidden="true">{m.servers_managed_permissions_yours()}</span>
          <PermissionChips permissions={permissions} />
        </div>
      </div>
      {servers.length === 0 ? (
        <p className="rounded-10 border border-dashed border-line px-4 py-3.5 text-13 text-ink-2">
          {m.servers_list_managed_empty({ owner: username })}
        </p>
      ) : (
        <div role="table" aria-labelledby={id} className="card overflow-hidden">
          {children}
        </div>
      )}
    </section>
  )
}

function matches(server: Server, search: string): boolean {
  const needle = search.trim().toLowerCase()
  return [server.name, server.public_id, server.game_mode, server.live?.address ?? '', ...server.tags].some((text) =>
    text.toLowerCase().includes(needle),
  )
}

function focusRow(offset: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + offset))]?.focus()
}

function SearchBox({ search, onSearch, found }: { search: string; onSearch: (text: string) => void; found: number }) {
  const id = useId()
  return (
    <div className="relative mb-3 sm:max-w-80">
      <label htmlFor={id} className="sr-only">
        {m.servers_list_search()}
      </label>
      <Search size={15} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3" />
      <input
        id={id}
        type="search"
        data-search
        value={search}
        placeholder={m.servers_list_search_placeholder()}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (search === '') event.currentTarget.blur()
          else onSearch('')
        }}
        className="field-input peer pr-10 pl-9"
      />
      <span className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 peer-focus:hidden pointer-coarse:hidden">
        <Kbd>/</Kbd>
      </span>
      <span role="status" className="sr-only">
        {search === '' ? '' : m.servers_list_found({ count: found })}
      </span>
    </div>
  )
}
