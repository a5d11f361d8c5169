/**
 * Keeps the query cache fresh with an event stream. Server queries are also polled every 30 seconds. While the stream is down, all active
 * queries that events invalidate are polled every 15 seconds.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { AccountEvent, ManagedServerEvent, ServerEvent } from '#contract/masterlist/live.ts'
import { DEFAULT_LANGUAGE } from '#contract/text/panel-languages.ts'
import { invalidateByPrefix, refreshAccount } from './account-updates.ts'
import { OPEN, setConnection } from './connection.ts'
import { SharedStream } from './shared-stream.ts'
import {
  announcesOptions,
  removeManagedServerFromCache,
  removeServerFromCache,
  setManagedServerCache,
  setServerCache,
  serverListOptions,
} from '#web/features/servers/servers.api.ts'
import { pageLanguage } from '#web/lib/language.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { checkVersion } from '#web/lib/http/version-check.ts'

interface LiveEvents {
  server: ServerEvent
  managed_server: ManagedServerEvent
  account: AccountEvent
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
  'preferences',
  'notifications',
]

/** Returns a function that stops them. */
export function startLiveUpdates(client: QueryClient, userId: string): () => void {
  const updates = new LiveUpdates(client, userId)
  addEventListener('online', updates.retryNow)
  addEventListener('offline', updates.onOffline)
  const poll = setInterval(updates.onTick, POLL_MS)
  return () => {
    removeEventListener('online', updates.retryNow)
    removeEventListener('offline', updates.onOffline)
    clearInterval(poll)
    updates.close()
  }
}

/** Applies the stream's events, and polls while the stream is lost. */
class LiveUpdates {
  readonly #client: QueryClient
  readonly #stream: SharedStream
  #ticks = 0
  #isBroken = false
  /** Whether the stream was lost since the last reload. */
  #wasBroken = false
  #reloadTimer: ReturnType<typeof setTimeout> | undefined
  // While the stream is broken:
  #retryAt = 0
  /** When the shown data was last known to be current. */
  #freshAt = 0
  #isPollingWorking = false

  constructor(client: QueryClient, userId: string) {
    this.#client = client
    this.#stream = new SharedStream({
      // A stream can't send the page's language as Accept-Language.
      url: `/api/users/tokens/events${pageLanguage === DEFAULT_LANGUAGE ? '' : `?language=${pageLanguage}`}`,
      events: Object.keys(this.#onEvent),
      // Not shared by two users of one browser, nor by pages in two languages.
      name: `muster.events.${userId}.${pageLanguage}`,
      receive: (message, isBroadcast) => {
        if (message.type === 'event') this.#onEvent[message.name as keyof LiveEvents]?.(JSON.parse(message.data))
        else if (message.state === 'open') this.#onOpen(isBroadcast)
        else if (message.state !== 'connecting') this.#onLost(message.state.retryAt)
      },
    })
  }

  readonly #onEvent: { [N in keyof LiveEvents]: (event: LiveEvents[N]) => void } = {
    server: ({ public_id, server }) => {
      if (server === null) removeServerFromCache(this.#client, public_id)
      else setServerCache(this.#client, server)
      this.#invalidateAnnounces(public_id)
    },
    managed_server: ({ owner_id, public_id, server }) => {
      if (server === null) removeManagedServerFromCache(this.#client, owner_id, public_id)
      else setManagedServerCache(this.#client, server)
      this.#invalidateAnnounces(public_id)
    },
    account: ({ changed }) => refreshAccount(this.#client, changed),
  }

  #invalidateAnnounces(id: string) {
    void this.#client.invalidateQueries({ queryKey: announcesOptions(id).queryKey })
  }

  close() {
    clearTimeout(this.#reloadTimer)
    this.#stream.close()
  }

  readonly retryNow = () => this.#stream.retryNow()

  readonly onOffline = () => {
    this.#isPollingWorking = false
    this.#stream.disconnect()
  }

  readonly onTick = () => {
    this.#ticks += 1
    if (!this.#isBroken && this.#ticks % OPEN_POLL_TICKS !== 0) return
    const polledAt = Date.now()
    const isVisible = document.visibilityState === 'visible'
    void invalidateByPrefix(this.#client, this.#isBroken ? ALL : ALWAYS_POLLED, isVisible ? 'active' : 'none').then(
      () => isVisible && this.#checkPoll(polledAt),
    )
  }

  #onOpen(isBroadcast: boolean) {
    this.#wasBroken ||= this.#isBroken
    this.#isBroken = false
    setConnection(OPEN)
    clearTimeout(this.#reloadTimer)
    if (isBroadcast) this.#reloadTimer = setTimeout(this.#reload, Math.random() * RELOAD_SPREAD_MS)
    else this.#reload()
  }

  /** Also after the first open, because earlier events were missed. Failed queries are retried only after an outage. */
  readonly #reload = () => {
    void invalidateByPrefix(this.#client, ALL, 'active', this.#wasBroken)
    if (this.#wasBroken) void checkVersion()
    this.#wasBroken = false
  }

  #onLost(retryAt: number) {
    this.#retryAt = retryAt
    if (!this.#isBroken) this.#markBroken(Date.now())
    if (!this.#isPollingWorking) this.#reportLost()
  }

  #markBroken(at: number) {
    this.#isBroken = true
    this.#isPollingWorking = false
    this.#freshAt = at
    void this.#client.refetchQueries({ queryKey: serverListOptions.queryKey }).then(() => this.#checkPoll(at))
  }

  /** Polling works if it refreshed the server list, which is always active. */
  #checkPoll(polledAt: number) {
    if (!this.#isBroken) return
    const list = this.#client.getQueryState(serverListOptions.queryKey)
    this.#isPollingWorking = list?.status === 'success' && list.dataUpdatedAt >= polledAt
    if (!this.#isPollingWorking) return this.#reportLost()
    this.#freshAt = polledAt
    setConnection(OPEN)
  }

  #reportLost() {
    setConnection({ state: 'lost', since: serverTime(this.#freshAt), retryAt: serverTime(this.#retryAt) })
  }
}
