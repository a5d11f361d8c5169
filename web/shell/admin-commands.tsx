/** What the palette has for administrators: their pages, any user and any server. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { m } from '#messages'
import { StatusDot } from '#web/features/servers/status-pill.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/call.ts'
import { ADMIN_PAGES } from './admin-pages.ts'

export interface Command {
  readonly id: string
  readonly text: string
  /** Tells it from what has the same name. */
  readonly aside?: string
  readonly icon: ReactNode
  readonly run: () => void
}

const DEBOUNCE_MS = 200
/** One letter finds too much. */
const MIN_LETTERS = 2
const FOUND_OF_EACH = '5'

function useIsAdmin(): boolean {
  const { data: me } = useQuery(meOptions)
  return me !== undefined && isAdmin(me)
}

export function useAdminCommands(): Command[] {
  const navigate = useNavigate()
  if (!useIsAdmin()) return []
  return ADMIN_PAGES.map(({ to, full, icon: Icon }) => ({
    id: `admin${to.replaceAll('/', '-')}`,
    text: m.shell_palette_admin({ page: `${full.charAt(0).toLowerCase()}${full.slice(1)}` }),
    icon: <Icon size={15} />,
    run: () => void navigate({ to }),
  }))
}

function useDebounced(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

/** What the backend finds, for administrators. */
export function useAdminSearch(wanted: string) {
  const typed = wanted.trim()
  const search = useDebounced(typed)
  const may = useIsAdmin()
  const enabled = may && search.length >= MIN_LETTERS
  const query = { search, per_page: FOUND_OF_EACH }
  const fresh = { enabled, refetchOnMount: 'always', gcTime: 0 } as const
  const users = useQuery({
    ...fresh,
    queryKey: ['admin', 'find', 'users', search],
    queryFn: ({ signal }) => call('GET /api/admin/users', { query, signal, fullBody: true }),
  })
  const servers = useQuery({
    ...fresh,
    queryKey: ['admin', 'find', 'servers', search],
    queryFn: ({ signal }) => call('GET /api/admin/tokens', { query, signal, fullBody: true }),
  })
  const navigate = useNavigate()
  // Found by other letters than those typed now.
  if (!enabled || search !== typed) return { found: [], isLooking: may && typed.length >= MIN_LETTERS, error: null }
  const found: Command[] = [
    ...(users.data?.data ?? []).map(({ id, discord }) => ({
      id: `user-${id}`,
      text: discord.username,
      aside: m.shell_palette_user({ id: discord.discord_id }),
      icon: <Avatar user={discord} size={20} />,
      run: () => void navigate({ to: '/admin/users/$user_id', params: { user_id: id } }),
    })),
    ...(servers.data?.data ?? []).map((server) => ({
      id: `server-${server.public_id}`,
      text: server.name,
      aside: m.shell_palette_server({ owner: server.owner.discord.username, id: server.public_id }),
      icon: <StatusDot server={server} />,
      run: () => void navigate({ to: '/admin/servers/$server_id', params: { server_id: server.public_id } }),
    })),
  ]
  return { found, isLooking: users.isFetching || servers.isFetching, error: users.error ?? servers.error }
}
