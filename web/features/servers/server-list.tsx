import { Search } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Server } from '#contract/servers.ts'
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
  asked: string
  onSearch: (text: string) => void
}

export function ServerList({ servers, managed = [], graphOf, asked, onSearch }: ServerListProps) {
  const { text: search, setText: setSearch } = useSearchText(asked, onSearch)
  useHotkeys({ j: () => focusRow(1), k: () => focusRow(-1) })
  const shown = servers.filter((server) => matches(server, search))
  // An owner without a server is no answer to a search.
  const groups = managed
    .map((group) => ({ ...group, servers: group.servers.filter((server) => matches(server, search)) }))
    .filter((group) => group.servers.length > 0 || search.trim() === '')
  const count = groups.reduce((sum, group) => sum + group.servers.length, shown.length)
  const all = managed.reduce((sum, group) => sum + group.servers.length, servers.length)
  const rowsOf = (some: readonly Server[]) => (
    <div role="rowgroup" className="divide-y divide-line">
      {some.map((server) => (
        <ServerRow key={server.public_id} server={server} graph={graphOf(server)} />
      ))}
    </div>
  )
  return (
    <>
      <section aria-label="Your servers">
        {all > 0 && <SearchBox search={search} onSearch={setSearch} found={count} />}
        {all > 0 && count === 0 && (
          <EmptyState title="No server matches" action={<Button onClick={() => setSearch('')}>Clear the search</Button>}>
            None of your {all} servers has “{search}” in its name, id, game mode, tags or address.
          </EmptyState>
        )}
        {shown.length > 0 && (
          <div role="table" aria-label="Servers" className="card overflow-hidden">
            <ServerColumns />
            {rowsOf(shown)}
          </div>
        )}
      </section>
      {groups.map((group, index) => (
        <ManagedServers key={group.owner.id} group={group}>
          {/* The columns are named once. */}
          {shown.length === 0 && index === 0 && <ServerColumns />}
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
            <span className="text-ink-3">Managed for </span>
            <span className="font-medium">{username}</span>
          </span>
        </h2>
        <PermissionChips permissions={permissions} />
      </div>
      {servers.length === 0 ? (
        <p className="rounded-10 border border-dashed border-line px-4 py-3.5 text-13 text-ink-2">
          {username} has no server yet. The first one appears here by itself.
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
  const wanted = search.trim().toLowerCase()
  return [server.name, server.public_id, server.game_mode, server.live?.address ?? '', ...server.tags].some((text) =>
    text.toLowerCase().includes(wanted),
  )
}

function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
}

function SearchBox({ search, onSearch, found }: { search: string; onSearch: (text: string) => void; found: number }) {
  const id = useId()
  return (
    <div className="relative mb-3 sm:max-w-80">
      <label htmlFor={id} className="sr-only">
        Search your servers
      </label>
      <Search size={15} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3" />
      <input
        id={id}
        type="search"
        data-search
        value={search}
        placeholder="Search"
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
        {search === '' ? '' : `${found} found`}
      </span>
    </div>
  )
}
