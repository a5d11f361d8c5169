/**
 * Keeps the query cache fresh with an event stream. Server queries are also polled every 30 seconds. While the stream is down, all active
 * queries that events invalidate are polled every 15 seconds.
 */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { AccountEvent, ManagedServerEvent, ServerEvent } from '#contract/live.ts'
import { invalidateByPrefix, refreshAccount } from './account-updates.ts'
import {
  announcesOptions,
  removeManagedServerFromCache,
  removeServerFromCache,
  setManagedServerCache,
  setServerCache,
  serverListOptions,
} from '#web/features/servers/servers.api.ts'

type Connection = { state: 'open' } | { state: 'lost'; since: number; retryAt: number }

const POLL_MS = 15_000
/** With a working stream, only every second tick polls. A query's own interval would restart with each event. */
const OPEN_POLL_TICKS = 2
const OPEN: Connection = { state: 'open' }

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
]

let connection: Connection = OPEN
const listeners = new Set<() => void>()

function setConnection(next: Connection): void {
  connection = next
  for (const each of listeners) each()
}

/** Lost if neither the stream nor polling works. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => connection,
  )
}

/** Exponential backoff with jitter: a random 50 to 100 % of 1, 2, 4 … 30 seconds. */
function backoffMs(attempt: number): number {
  return Math.min(30_000, 1000 * 2 ** attempt) * (0.5 + Math.random() / 2)
}

export function useLiveUpdates(client: QueryClient): void {
  useEffect(() => {
    const stream = new EventStream(client)
    addEventListener('online', stream.retryNow)
    addEventListener('offline', stream.onOffline)
    const poll = setInterval(stream.onTick, POLL_MS)
    stream.open()
    return () => {
      removeEventListener('online', stream.retryNow)
      removeEventListener('offline', stream.onOffline)
      clearInterval(poll)
      stream.close()
    }
  }, [client])
}

/** The event source with its retries, and the polling that replaces it. */
class EventStream {
  readonly #client: QueryClient
  #source: EventSource | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #ticks = 0
  #isBroken = false
  // While the stream is broken:
  #retryAt = 0
  /** When the shown data was last known to be current. */
  #freshAt = 0
  #isPollingWorking = false

  constructor(client: QueryClient) {
    this.#client = client
  }

  readonly open = () => {
    this.close()
    this.#source = new EventSource('/api/users/tokens/events')
    this.#source.addEventListener('open', this.#onOpen)
    this.#source.addEventListener('error', this.#onError)
    this.#on<ServerEvent>('server', ({ public_id, server }) => {
      if (server === null) removeServerFromCache(this.#client, public_id)
      else setServerCache(this.#client, server)
      this.#invalidateAnnounces(public_id)
    })
    this.#on<ManagedServerEvent>('managed_server', ({ owner_id, public_id, server }) => {
      if (server === null) removeManagedServerFromCache(this.#client, owner_id, public_id)
      else setManagedServerCache(this.#client, server)
      this.#invalidateAnnounces(public_id)
    })
    this.#on<AccountEvent>('account', ({ changed }) => refreshAccount(this.#client, changed))
  }

  #on<T>(name: string, receive: (event: T) => void) {
    this.#source?.addEventListener(name, (event: MessageEvent<string>) => receive(JSON.parse(event.data) as T))
  }

  #invalidateAnnounces(id: string) {
    void this.#client.invalidateQueries({ queryKey: announcesOptions(id).queryKey })
  }

  close() {
    clearTimeout(this.#timer)
    this.#source?.close()
  }

  readonly retryNow = () => {
    this.#attempt = 0
    if (this.#isBroken) this.open()
  }

  readonly onOffline = () => {
    this.#isPollingWorking = false
    this.#onError()
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

  readonly #onOpen = () => {
    // Also on the first open, because earlier events were missed. Failed queries are retried only after an outage (product.md section 9).
    void invalidateByPrefix(this.#client, ALL, 'active', this.#isBroken)
    this.#attempt = 0
    this.#isBroken = false
    setConnection(OPEN)
  }

  readonly #onError = () => {
    this.close()
    const wait = backoffMs(this.#attempt++)
    this.#retryAt = Date.now() + wait
    this.#timer = setTimeout(this.open, wait)
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
    setConnection({ state: 'lost', since: this.#freshAt, retryAt: this.#retryAt })
  }
}
