/** One stream of changes feeds the query cache. While it is broken, everything shown is polled every 15 seconds. */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { AccountEvent, ManagedServerEvent, ServerEvent } from '#contract/live.ts'
import { invalidateRoots, refreshAccount } from './account-updates.ts'
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
/** While the stream works, only every second time. A query's own interval would restart with each event. */
const OPEN_POLL_TICKS = 2
const OPEN: Connection = { state: 'open' }

/** Polled even while the stream works: an announce that changes nothing is no event. */
const QUIET: readonly unknown[] = ['servers', 'server', 'managed']
/** What events of the stream invalidate. */
const ALL: readonly unknown[] = [...QUIET, 'me', 'activity', 'benefits', 'protection']

let connection: Connection = OPEN
const listeners = new Set<() => void>()

function setConnection(next: Connection): void {
  connection = next
  for (const each of listeners) each()
}

/** Lost means that neither the stream nor polling works. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => connection,
  )
}

/** 1, 2, 4 ... 30 seconds, each between half and the whole of it. */
function backOff(attempt: number): number {
  return Math.min(30_000, 1000 * 2 ** attempt) * (0.5 + Math.random() / 2)
}

export function useLiveUpdates(client: QueryClient): void {
  useEffect(() => {
    const link = new EventStream(client)
    addEventListener('online', link.hurry)
    addEventListener('offline', link.lose)
    const poll = setInterval(link.tick, POLL_MS)
    link.open()
    return () => {
      removeEventListener('online', link.hurry)
      removeEventListener('offline', link.lose)
      clearInterval(poll)
      link.close()
    }
  }, [client])
}

/** The stream with its attempts, and the polling that replaces it. */
class EventStream {
  readonly #client: QueryClient
  #source: EventSource | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #ticks = 0
  #broken = false
  // While the stream is broken:
  #retryAt = 0
  /** As of when what is shown is right. */
  #freshAt = 0
  /** Whether polling works. */
  #readable = false

  constructor(client: QueryClient) {
    this.#client = client
  }

  readonly open = () => {
    this.close()
    this.#source = new EventSource('/api/users/tokens/events')
    this.#source.addEventListener('open', this.#opened)
    this.#source.addEventListener('error', this.#retryLater)
    this.#on<ServerEvent>('server', ({ public_id, server }) => {
      if (server === null) removeServerFromCache(this.#client, public_id)
      else setServerCache(this.#client, server)
      this.#readAnnounces(public_id)
    })
    this.#on<ManagedServerEvent>('managed_server', ({ owner_id, public_id, server }) => {
      if (server === null) removeManagedServerFromCache(this.#client, owner_id, public_id)
      else setManagedServerCache(this.#client, server)
      this.#readAnnounces(public_id)
    })
    this.#on<AccountEvent>('account', ({ changed }) => refreshAccount(this.#client, changed))
  }

  #on<T>(name: string, receive: (event: T) => void) {
    this.#source?.addEventListener(name, (event: MessageEvent<string>) => receive(JSON.parse(event.data) as T))
  }

  #readAnnounces(id: string) {
    void this.#client.invalidateQueries({ queryKey: announcesOptions(id).queryKey })
  }

  close() {
    clearTimeout(this.#timer)
    this.#source?.close()
  }

  readonly hurry = () => {
    this.#attempt = 0
    if (this.#broken) this.open()
  }

  readonly lose = () => {
    this.#readable = false
    this.#retryLater()
  }

  readonly tick = () => {
    this.#ticks += 1
    if (!this.#broken && this.#ticks % OPEN_POLL_TICKS !== 0) return
    const askedAt = Date.now()
    const shown = document.visibilityState === 'visible'
    void invalidateRoots(this.#client, this.#broken ? ALL : QUIET, shown ? 'active' : 'none').then(() => shown && this.#judge(askedAt))
  }

  readonly #opened = () => {
    // Also the first time: earlier events were missed. What failed is only asked again after an outage (product.md section 9).
    void invalidateRoots(this.#client, ALL, 'active', this.#broken)
    this.#attempt = 0
    this.#broken = false
    setConnection(OPEN)
  }

  readonly #retryLater = () => {
    this.close()
    const wait = backOff(this.#attempt++)
    this.#retryAt = Date.now() + wait
    this.#timer = setTimeout(this.open, wait)
    if (!this.#broken) this.#breakOff(Date.now())
    if (!this.#readable) this.#sayLost()
  }

  #breakOff(at: number) {
    this.#broken = true
    this.#readable = false
    this.#freshAt = at
    void this.#client.refetchQueries({ queryKey: serverListOptions.queryKey }).then(() => this.#judge(at))
  }

  /** Polling works if the list, which is always shown, was read since then. */
  #judge(askedAt: number) {
    if (!this.#broken) return
    const list = this.#client.getQueryState(serverListOptions.queryKey)
    this.#readable = list?.status === 'success' && list.dataUpdatedAt >= askedAt
    if (!this.#readable) return this.#sayLost()
    this.#freshAt = askedAt
    setConnection(OPEN)
  }

  #sayLost() {
    setConnection({ state: 'lost', since: this.#freshAt, retryAt: this.#retryAt })
  }
}
