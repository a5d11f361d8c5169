/** The bus over a shared Postgres: messages are notifications, and the table `nodes` lists the live nodes (docs/decisions/0006). */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Deps } from '#backend/platform/deps.ts'
import { type Bus, type Gap, type Handler, type Topic, type Topics, localBus } from './bus.ts'
import { type Ack, type ControlTopic, type Message, decode, encode, encodeInPieces } from './message.ts'
import { Outbox } from './outbox.ts'
import { PostgresLink } from './postgres-link.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

/** Messages within this time go in one statement. */
const BATCH_MS = 3
const ACK_TIMEOUT_MS = 1500
const GAP_RETRY_MS = 1000
const MAX_FINAL_BATCHES = 20
/** Topics that are useless when late. They are not queued while disconnected or while there are no other nodes. */
const EPHEMERAL: ReadonlySet<string> = new Set<Topic>(['heartbeat', 'rejected', 'rateLimit'])

type AnyHandler = (data: unknown, from: string) => void | Promise<void>

/** @param shared the database that other nodes may use; undefined with the embedded database. @param node this node's id. */
export function createBus(deps: Pick<Deps, 'clock' | 'log'>, shared: ClientConfig | undefined, node: string = randomUUID()): Bus {
  return shared === undefined ? localBus(node) : new PostgresBus(node, deps, shared)
}

class PostgresBus implements Bus {
  readonly isSingleNode = false
  readonly node: string
  readonly #log: Deps['log']
  readonly #catchUpOutage: OutageLog
  readonly #link: PostgresLink
  readonly #outbox = new Outbox()
  readonly #handlers = new Map<string, AnyHandler[]>()
  readonly #gapHandlers: ((gap: Gap) => Promise<void>)[] = []
  readonly #pendingAcks = new Map<number, { readonly waitingFor: Set<string>; readonly end: () => void }>()
  #lastNumber = 0
  #sending: Promise<void> | undefined
  #isCatchingUp = false
  /** The gap to catch up on next. */
  #gap: Gap | undefined
  #isClosed = false

  constructor(node: string, deps: Pick<Deps, 'clock' | 'log'>, connection: ClientConfig) {
    this.node = node
    this.#log = deps.log
    this.#catchUpOutage = new OutageLog({
      log: deps.log,
      level: 'info',
      begin: 'catch-up with other nodes failed, will retry',
      end: 'catch-up with other nodes succeeded',
    })
    this.#link = new PostgresLink(node, deps, connection, {
      received: (payload) => this.#receive(payload),
      echo: () => this.#encodeControl('echo', {}),
      opened: (isFirst) => {
        this.#sendControl('hello', {})
        if (!isFirst) void this.#catchUp('disconnected')
      },
      missed: (gap) => void this.#catchUp(gap),
    })
  }

  get livePeers(): number {
    return this.#link.alive.size
  }

  get connectedPeers(): number {
    return this.#link.connectedPeers
  }

  get disconnectedSince(): number | undefined {
    return this.#link.disconnectedSince
  }

  get isSilent(): boolean {
    return this.#link.isSilent
  }

  get clockOffsetMs(): number {
    return this.#link.clockOffsetMs
  }

  on<T extends Topic>(topic: T, handler: Handler<T>): void {
    const handlers = this.#handlers.get(topic) ?? []
    handlers.push(handler as AnyHandler)
    this.#handlers.set(topic, handlers)
  }

  onGap(handler: (gap: Gap) => Promise<void>): void {
    this.#gapHandlers.push(handler)
  }

  publish<T extends Topic>(topic: T, data: Topics[T]): void {
    if (EPHEMERAL.has(topic) && (this.livePeers === 0 || this.disconnectedSince !== undefined)) return
    this.#enqueue(topic, data, false)
  }

  async publishAndWait<T extends Topic>(topic: T, data: Topics[T]): Promise<void> {
    const peers = [...this.#link.alive]
    const numbers = this.#enqueue(topic, data, peers.length > 0)
    if (peers.length === 0 || this.#isClosed) return
    await Promise.all(numbers.map((number) => this.#waitForAcks(number, topic, peers)))
  }

  start(): Promise<void> {
    return this.#link.open()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { end } of this.#pendingAcks.values()) end()
    await this.#sending
    for (let batches = 0; batches < MAX_FINAL_BATCHES && !this.#outbox.isEmpty; batches += 1) if (!(await this.#sendBatch())) break
    await this.#link.close(this.#encodeControl('bye', {}))
  }

  /** Returns the numbers of the messages that carry the data. */
  #enqueue(topic: string, data: object, wantsAck: boolean): number[] {
    const payloads = encodeInPieces({ node: this.node, topic, data, wantsAck }, () => (this.#lastNumber += 1))
    if (payloads === undefined) {
      this.#log.error({ topic }, 'message too long, not sent to other nodes')
      return []
    }
    for (const payload of payloads.values()) this.#outbox.add({ payload, isOwnersChange: topic === 'refresh' })
    this.#scheduleSend()
    return [...payloads.keys()]
  }

  #encodeControl(topic: ControlTopic, data: object): string {
    return encode({ node: this.node, number: (this.#lastNumber += 1), topic, data, wantsAck: false })
  }

  #sendControl(topic: ControlTopic, data: object): void {
    this.#outbox.add({ payload: this.#encodeControl(topic, data), isOwnersChange: false })
    this.#scheduleSend()
  }

  #scheduleSend(): void {
    if (!this.#isClosed) this.#sending ??= this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    await sleep(BATCH_MS)
    while (!this.#isClosed && !this.#outbox.isEmpty && (await this.#sendBatch()));
    this.#sending = undefined
    // After a disconnect, `opened` sends the rest.
    if (!this.#outbox.isEmpty && this.disconnectedSince === undefined) this.#scheduleSend()
  }

  /** An unsent batch waits for reconnection. Sending a message twice is harmless. */
  async #sendBatch(): Promise<boolean> {
    const hasDropped = this.#outbox.takeHasDropped()
    const batch = this.#outbox.takeBatch()
    if (hasDropped) batch.unshift({ payload: this.#encodeControl('gap', {}), isOwnersChange: false })
    const isSent = await this.#link.send(batch.map(({ payload }) => payload))
    if (!isSent) this.#outbox.putBack(batch)
    return isSent
  }

  #receive(payload: string): void {
    const message = decode(payload)
    if (message === undefined || this.#isClosed) return
    const { node, topic, data } = message
    if (node === this.node) {
      this.#link.receivedEcho()
      return
    }
    if (topic === 'bye') {
      this.#link.peerLeft(node)
      for (const number of this.#pendingAcks.keys()) this.#acknowledge(number, node)
      return
    }
    this.#link.receivedFrom(node, topic === 'gap')
    if (topic === 'ack') {
      const { to, number } = data as Partial<Ack>
      if (to === this.node && number !== undefined) this.#acknowledge(number, node)
    } else void this.#handle(message)
  }

  async #handle({ node, number, topic, data, wantsAck }: Message): Promise<void> {
    try {
      await Promise.all((this.#handlers.get(topic) ?? []).map(async (handle) => handle(data, node)))
    } catch (error) {
      this.#log.info({ err: error, topic }, 'handling a message from another node failed')
      return
    }
    if (wantsAck && !this.#isClosed) this.#sendControl('ack', { to: node, number } satisfies Ack)
  }

  #waitForAcks(number: number, topic: string, peers: readonly string[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waitingFor = new Set(peers)
    const end = () => {
      clearTimeout(timer)
      this.#pendingAcks.delete(number)
      resolve()
    }
    const timer = setTimeout(() => {
      this.#log.info({ topic, nodes: [...waitingFor] }, 'other nodes did not acknowledge in time')
      end()
    }, ACK_TIMEOUT_MS)
    this.#pendingAcks.set(number, { waitingFor, end })
    return promise
  }

  #acknowledge(number: number, node: string): void {
    const pending = this.#pendingAcks.get(number)
    pending?.waitingFor.delete(node)
    if (pending?.waitingFor.size === 0) pending.end()
  }

  /** Runs one catch-up at a time. A gap in the meantime, or a failure, starts another one. */
  async #catchUp(gap: Gap): Promise<void> {
    this.#addGap(gap)
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    for (let gap = this.#takeGap(); gap !== undefined; gap = this.#takeGap()) {
      const results = await Promise.allSettled(this.#gapHandlers.map((handle) => handle(gap)))
      const failed = results.find((result) => result.status === 'rejected')
      if (failed === undefined) this.#catchUpOutage.succeeded()
      if (failed === undefined || this.#isClosed) continue
      this.#catchUpOutage.failed({ err: failed.reason as unknown })
      this.#addGap(gap)
      await sleep(GAP_RETRY_MS, undefined, { ref: false })
    }
    this.#isCatchingUp = false
  }

  #addGap(gap: Gap): void {
    if (this.#gap !== 'disconnected') this.#gap = gap
  }

  #takeGap(): Gap | undefined {
    const gap = this.#isClosed ? undefined : this.#gap
    this.#gap = undefined
    return gap
  }
}
