/** What the palette finds: commands, and for administrators users and servers. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Activity,
  ArrowRightLeft,
  Bell,
  CheckCheck,
  Download,
  EyeOff,
  Gift,
  History,
  Inbox,
  KeyRound,
  LogOut,
  type LucideIcon,
  MapPin,
  MonitorSmartphone,
  Pencil,
  Plus,
  Server as ServerIcon,
  Share2,
  SlidersHorizontal,
  Trash2,
  UserRound,
  Users,
  UserX,
  Webhook,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { m } from '#messages'
import { useHasDownloads } from '#web/features/about/use-has-downloads.ts'
import { markAllRead } from '#web/features/notifications/notifications.api.ts'
import { hasPermission, serverLink, type ShownServer } from '#web/features/servers/access.ts'
import { ServerStatusIcon } from '#web/features/servers/server-marks.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { useHasPublicSite } from '#web/features/servers/share/share-button.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { isAdmin, meOptions } from '#web/features/session/session.api.ts'
import { useLogOut } from '#web/features/session/account-actions.ts'
import { call } from '#web/lib/http/call.ts'
import { useThemeChoice } from '#web/lib/theme.ts'
import { ADMIN_PAGES } from './admin-navigation.tsx'
import { chooseTheme, THEMES } from './account-menu.tsx'

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

const PAGES = [
  { id: 'servers', text: m.nav_servers(), to: '/servers', Icon: ServerIcon },
  { id: 'new', text: m.nav_new_server(), to: '/servers/new', Icon: Plus },
  { id: 'inbox', text: m.shell_palette_inbox(), to: '/inbox', Icon: Inbox },
  { id: 'benefits', text: m.nav_benefits(), to: '/benefits', Icon: Gift },
  { id: 'downloads', text: m.nav_downloads(), to: '/downloads', Icon: Download },
  { id: 'webhooks', text: m.shell_palette_settings_webhooks(), to: '/settings/webhooks', Icon: Webhook },
  { id: 'profile', text: m.shell_palette_settings_profile(), to: '/settings/profile', Icon: UserRound },
  { id: 'preferences', text: m.shell_palette_settings_preferences(), to: '/settings/preferences', Icon: SlidersHorizontal },
  { id: 'sessions', text: m.shell_palette_settings_sessions(), to: '/settings/sessions', Icon: MonitorSmartphone },
  { id: 'notifications', text: m.shell_palette_settings_notifications(), to: '/settings/notifications', Icon: Bell },
  { id: 'managers', text: m.shell_palette_settings_managers(), to: '/settings/managers', Icon: Users },
  { id: 'transfers', text: m.shell_palette_settings_transfers(), to: '/settings/transfers', Icon: ArrowRightLeft },
  { id: 'api-keys', text: m.shell_palette_settings_api_keys(), to: '/settings/api-keys', Icon: KeyRound },
  { id: 'activity', text: m.shell_palette_settings_activity(), to: '/settings/activity', Icon: Activity },
  { id: 'delete-account', text: m.shell_palette_settings_delete(), to: '/settings/delete-account', Icon: UserX },
  { id: 'export', text: m.shell_palette_export(), to: '/settings/delete-account', hash: 'export', Icon: Download },
] as const

interface ServerAction {
  readonly id: string
  readonly text: (inputs: { server: string }) => string
  readonly Icon: LucideIcon
  readonly tab?: 'listing' | 'announces' | 'danger'
  readonly hash?: string
  /** Without it, for every server. */
  readonly isFor?: (server: ShownServer) => boolean
}

/** What a user can do with a server. `hash` is the section of the tab. */
const SERVER_ACTIONS: readonly ServerAction[] = [
  { id: 'listing', text: m.shell_palette_listing, Icon: Pencil, tab: 'listing' },
  { id: 'announces', text: m.shell_palette_announces, Icon: History, tab: 'announces' },
  { id: 'share', text: m.shell_palette_share, Icon: Share2, hash: 'share' },
  { id: 'why', text: m.shell_palette_why, Icon: EyeOff, hash: 'why', isFor: ({ listing }) => !listing.listed },
  {
    id: 'reissue',
    text: m.shell_palette_reissue,
    Icon: KeyRound,
    hash: 'credential',
    isFor: (server) => hasPermission(server, 'REISSUE_CREDENTIAL'),
  },
  { id: 'reset', text: m.shell_palette_reset, Icon: MapPin, hash: 'address', isFor: (server) => hasPermission(server, 'RESET_ADDRESS') },
  { id: 'transfer', text: m.shell_palette_transfer, Icon: ArrowRightLeft, tab: 'danger', hash: 'transfer', isFor: isOwn },
  { id: 'delete', text: m.shell_palette_delete, Icon: Trash2, tab: 'danger', hash: 'danger-delete', isFor: isOwn },
]

function isOwn({ owner }: ShownServer): boolean {
  return owner === undefined
}

/** Each server, then what the user can do with it. */
function useServerCommands(): Command[] {
  const { data: list } = useQuery(serverListOptions)
  const navigate = useNavigate()
  const hasPublicSite = useHasPublicSite()
  const open = (server: ShownServer, { tab, hash }: Pick<ServerAction, 'tab' | 'hash'> = {}) =>
    void navigate({
      ...serverLink(server),
      search: tab ? { tab } : {},
      ...(hash !== undefined && { hash }),
    })
  const all: ShownServer[] = [...(list?.owned ?? []), ...(list?.management ?? [])]
  return [
    ...all.map((server) => ({
      id: server.public_id,
      text: server.owner ? m.shell_palette_managed({ server: server.name, owner: server.owner.discord.username }) : server.name,
      icon: <ServerStatusIcon server={server} />,
      run: () => open(server),
    })),
    ...all.flatMap((server) =>
      SERVER_ACTIONS.filter(({ id, isFor }) => (isFor?.(server) ?? true) && (id !== 'share' || hasPublicSite)).map(
        ({ id, text, Icon, ...place }) => ({
          id: `${server.public_id}-${id}`,
          text: text({ server: server.name }),
          icon: <Icon size={15} />,
          run: () => open(server, place),
        }),
      ),
    ),
  ]
}

export function useCommands(): Command[] {
  const hasDownloads = useHasDownloads()
  const navigate = useNavigate()
  const client = useQueryClient()
  const theme = useThemeChoice()
  const logOut = useLogOut()
  const serverCommands = useServerCommands()
  const asAdmin = useIsAdmin()
  return [
    ...PAGES.filter(({ id }) => id !== 'downloads' || hasDownloads).map(({ id, text, Icon, ...place }) => ({
      id,
      text,
      icon: <Icon size={15} />,
      run: () => void navigate(place),
    })),
    ...serverCommands,
    {
      id: 'mark-read',
      text: m.shell_palette_mark_read(),
      icon: <CheckCheck size={15} />,
      run: () => void markAllRead(client),
    },
    ...THEMES.filter(({ id }) => id !== theme).map(({ id, command, Icon }) => ({
      id: `theme-${id}`,
      text: command(),
      icon: <Icon size={15} />,
      run: () => chooseTheme(client, id),
    })),
    {
      id: 'log-out',
      text: m.shell_menu_log_out(),
      words: m.shell_palette_log_out_words(),
      icon: <LogOut size={15} />,
      run: () => logOut.mutate(),
    },
    ...(asAdmin ? ADMIN_PAGES : []).map(({ to, fullLabel, icon: Icon }) => ({
      id: `admin${to.replaceAll('/', '-')}`,
      text: m.shell_palette_admin({ page: fullLabel }),
      icon: <Icon size={15} />,
      run: () => void navigate({ to }),
    })),
  ]
}

const DEBOUNCE_MS = 200
/** One letter matches too much. */
const MIN_LETTERS = 2
const MAX_RESULTS_PER_KIND = '5'

function useIsAdmin(): boolean {
  const { data: me } = useQuery(meOptions)
  return me !== undefined && isAdmin(me)
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
