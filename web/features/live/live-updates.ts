/**
 * Keeps the query cache fresh with an event stream. Server queries are also polled every 30 seconds. While the stream is down, all active
 * queries that events invalidate are polled every 15 seconds.
 */
import type { Query, QueryClient } from '@tanstack/react-query'
import type { AccountEvent, InvalidationKey, ManagedServerEvent, ServerEvent } from '#contract/masterlist/live.ts'
import type { EndpointTestEvent } from '#contract/servers/endpoint.ts'
import { DEFAULT_LANGUAGE } from '#contract/text/panel-languages.ts'
import { connection } from './connection.ts'
import { SharedStream } from './shared-stream.ts'
import { addEndpointTestStep } from '#web/features/servers/endpoint/endpoint-test.ts'
import {
  announcesOptions,
  appearanceOptions,
  endpointOptions,
  removeManagedServerFromCache,
  removeServerFromCache,
  setManagedServerCache,
  setServerCache,
  serverListOptions,
} from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { pageLanguage } from '#web/lib/language.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { checkVersion } from '#web/lib/http/version-check.ts'

interface LiveEvents {
  server: ServerEvent
  managed_server: ManagedServerEvent
  account: AccountEvent
  endpoint_test: EndpointTestEvent
}

const POLL_MS = 15_000
/** After a reconnect, tabs that share a stream reload at random moments within this time, and not all at once. */
const RELOAD_SPREAD_MS = 2000
/** With a working stream, only every second tick polls. A query's own interval would restart with each event. */
const OPEN_POLL_TICKS = 2

/** Polled even with a working stream: an announce that changes nothing publishes no event. */
const ALWAYS_POLLED: readonly unknown[] = ['servers', 'server', 'managed']
/** Everything that stream events can invalidate. */
const ALL: readonly unknown[] = [
  ...ALWAYS_POLLED,
  'me',
  'activity',
  'benefits',
  'protection',
  'api_keys',
  'webhooks',
  'sessions',
  'identities',
  'preferences',
  'notifications',
]

/** An event with one of them may be about something that others did. */
const TOASTED: readonly InvalidationKey[] = ['me', 'notifications', 'protection']

function refreshAccount(client: QueryClient, changed: readonly InvalidationKey[]): void {
  // Benefits can change with the user, and permissions for managed servers with any event.
  void invalidateByPrefix(client, ['managed', ...changed, ...(changed.includes('me') ? ['benefits'] : [])])
  const userId = client.getQueryData(meOptions.queryKey)?.id
  // Another occurrence of an issue adds no activity, and gets no toast.
  if (userId !== undefined && changed.includes('activity') && changed.some((key) => TOASTED.includes(key)))
    void import('./account-toasts.ts').then(({ showAccountToasts }) => showAccountToasts(userId)).catch(() => {})
}

/** Needs a manager's permission, so it is invalidated after the permissions. */
const [BENEFITS, APPEARANCE] = appearanceOptions('').queryKey
const needsPermission = ({ queryKey: [prefix, part] }: Query) => prefix === BENEFITS && part === APPEARANCE

/** Invalidates all queries whose key starts with one of the prefixes. Resolves once the active ones are refetched. */
async function invalidateByPrefix(
  client: QueryClient,
  prefixes: readonly unknown[],
  refetchType: 'active' | 'none' = 'active',
  includeFailed = true,
): Promise<void> {
  const matches = ({ queryKey: [prefix], state }: Query) => prefixes.includes(prefix) && (includeFailed || state.status !== 'error')
  await client.invalidateQueries({ predicate: (query) => matches(query) && !needsPermission(query), refetchType })
  await client.invalidateQueries({ predicate: (query) => matches(query) && needsPermission(query), refetchType })
}

type Handlers = { readonly [N in keyof LiveEvents]: (event: LiveEvents[N]) => void }

function handlersFor(client: QueryClient): Handlers {
  const invalidateParts = (id: string) => {
    for (const { queryKey } of [announcesOptions(id), endpointOptions(id)]) void client.invalidateQueries({ queryKey })
  }
  return {
    server: ({ public_id, server }) => {
      if (server === null) removeServerFromCache(client, public_id)
      else setServerCache(client, server)
      invalidateParts(public_id)
    },
    managed_server: ({ owner_id, public_id, server }) => {
      if (server === null) removeManagedServerFromCache(client, owner_id, public_id)
      else setManagedServerCache(client, server)
      invalidateParts(public_id)
    },
    account: ({ changed }) => refreshAccount(client, changed),
    endpoint_test: addEndpointTestStep,
  }
}

/** Polls, more often while the stream is lost, and says whether the shown data is current. */
function watchConnection(client: QueryClient) {
  /** Set while the stream is lost. */
  let lost: { retryAt: number } | undefined
  /** When the shown data was last known to be current, and whether polling keeps it so while the stream is lost. */
  let freshAt = 0
  let isPollingWorking = false
  let ticks = 0

  const reportLost = () => {
    if (lost) connection.set({ state: 'lost', since: serverTime(freshAt), retryAt: serverTime(lost.retryAt) })
  }
  /** Polling works if it refreshed the server list, which is always active. */
  const checkPoll = (polledAt: number) => {
    if (!lost) return
    const list = client.getQueryState(serverListOptions.queryKey)
    isPollingWorking = list?.status === 'success' && list.dataUpdatedAt >= polledAt
    if (!isPollingWorking) return reportLost()
    freshAt = polledAt
    connection.set({ state: 'open' })
  }
  return {
    /** Returns whether it was lost before. */
    onOpen: (): boolean => {
      const wasLost = lost !== undefined
      lost = undefined
      connection.set({ state: 'open' })
      return wasLost
    },
    onLost: (retryAt: number) => {
      if (lost) lost.retryAt = retryAt
      else {
        const since = Date.now()
        freshAt = since
        isPollingWorking = false
        lost = { retryAt }
        void client.refetchQueries({ queryKey: serverListOptions.queryKey }).then(() => checkPoll(since))
      }
      if (!isPollingWorking) reportLost()
    },
    onOffline: () => {
      isPollingWorking = false
    },
    onTick: () => {
      ticks += 1
      if (!lost && ticks % OPEN_POLL_TICKS !== 0) return
      const polledAt = Date.now()
      const isVisible = document.visibilityState === 'visible'
      void invalidateByPrefix(client, lost ? ALL : ALWAYS_POLLED, isVisible ? 'active' : 'none').then(
        () => isVisible && checkPoll(polledAt),
      )
    },
  }
}

/** Applies the stream's events, and polls. Returns a function that stops it. */
export function startLiveUpdates(client: QueryClient, userId: string): () => void {
  const handlers = handlersFor(client)
  const { onOpen, onLost, onOffline, onTick } = watchConnection(client)
  /** Whether the stream was lost since the last reload. */
  let wasLost = false
  let reloadTimer: ReturnType<typeof setTimeout> | undefined

  /** Also after the first open, because earlier events were missed. Failed queries are retried only after an outage. */
  const reload = () => {
    void invalidateByPrefix(client, ALL, 'active', wasLost)
    if (wasLost) void checkVersion()
    wasLost = false
  }
  const stream = new SharedStream({
    // A stream can't send the page's language as Accept-Language.
    url: `/api/users/tokens/events${pageLanguage === DEFAULT_LANGUAGE ? '' : `?language=${pageLanguage}`}`,
    events: Object.keys(handlers),
    // Not shared by two users of one browser, nor by pages in two languages.
    name: `muster.events.${userId}.${pageLanguage}`,
    receive: (message, isBroadcast) => {
      if (message.type === 'event') handlers[message.name as keyof LiveEvents]?.(JSON.parse(message.data))
      else if (message.state === 'open') {
        if (onOpen()) wasLost = true
        clearTimeout(reloadTimer)
        if (isBroadcast) reloadTimer = setTimeout(reload, Math.random() * RELOAD_SPREAD_MS)
        else reload()
      } else if (message.state !== 'connecting') onLost(message.state.retryAt)
    },
  })
  const listeners = new AbortController()
  addEventListener('online', stream.retryNow, listeners)
  const disconnect = () => {
    onOffline()
    stream.disconnect()
  }
  addEventListener('offline', disconnect, listeners)
  const poll = setInterval(onTick, POLL_MS)
  return () => {
    listeners.abort()
    clearInterval(poll)
    clearTimeout(reloadTimer)
    stream.close()
  }
}
