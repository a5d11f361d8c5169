/** The palette for administrators: their pages, and a search for users and servers. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { m } from '#messages'
import { ServerStatusIcon } from '#web/features/servers/server-icon.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/http/call.ts'
import { ADMIN_PAGES } from './admin-navigation.tsx'

export interface Command {
  readonly id: string
  readonly text: string
  /** Other words that find it. */
  readonly words?: string
  /** Distinguishes commands with the same text. */
  readonly detail?: string
  readonly icon: ReactNode
  readonly run: () => void
}

const DEBOUNCE_MS = 200
/** One letter matches too much. */
const MIN_LETTERS = 2
const MAX_RESULTS_PER_KIND = '5'

function useIsAdmin(): boolean {
  const { data: me } = useQuery(meOptions)
  return me !== undefined && isAdmin(me)
}

export function useAdminCommands(): Command[] {
  const navigate = useNavigate()
  if (!useIsAdmin()) return []
  return ADMIN_PAGES.map(({ to, fullLabel, icon: Icon }) => ({
    id: `admin${to.replaceAll('/', '-')}`,
    text: m.shell_palette_admin({ page: fullLabel }),
    icon: <Icon size={15} />,
    run: () => void navigate({ to }),
  }))
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

/** Searches users and servers in the backend, for administrators only. */
export function useAdminSearch(input: string) {
  const typed = input.trim()
  const search = useDebounced(typed)
  const canSearch = useIsAdmin()
  const enabled = canSearch && search.length >= MIN_LETTERS
  const query = { search, per_page: MAX_RESULTS_PER_KIND }
  const options = { enabled, refetchOnMount: 'always', gcTime: 0 } as const
  const users = useQuery({
    ...options,
    queryKey: ['admin', 'find', 'users', search],
    queryFn: ({ signal }) => call('GET /api/admin/users', { query, signal, fullBody: true }),
  })
  const servers = useQuery({
    ...options,
    queryKey: ['admin', 'find', 'servers', search],
    queryFn: ({ signal }) => call('GET /api/admin/tokens', { query, signal, fullBody: true }),
  })
  const navigate = useNavigate()
  // Until the debounce ends, the results are for an earlier input.
  if (!enabled || search !== typed) return { results: [], isSearching: canSearch && typed.length >= MIN_LETTERS, error: null }
  const results: Command[] = [
    ...(users.data?.data ?? []).map(({ id, discord }) => ({
      id: `user-${id}`,
      text: discord.username,
      detail: m.shell_palette_user({ id: discord.discord_id }),
      icon: <Avatar user={discord} size={20} />,
      run: () => void navigate({ to: '/admin/users/$user_id', params: { user_id: id } }),
    })),
    ...(servers.data?.data ?? []).map((server) => ({
      id: `server-${server.public_id}`,
      text: server.name,
      detail: m.shell_palette_server({ owner: server.owner.discord.username, id: server.public_id }),
      icon: <ServerStatusIcon server={server} />,
      run: () => void navigate({ to: '/admin/servers/$server_id', params: { server_id: server.public_id } }),
    })),
  ]
  return { results, isSearching: users.isFetching || servers.isFetching, error: users.error ?? servers.error }
}
