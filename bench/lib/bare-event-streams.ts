/** Minimal server-sent events for the bare server: texts are batched and written to every listener at an interval. */
import type { ServerResponse } from 'node:http'

const INTERVAL_MS = 250
const HEAD = ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store']

export class BareEventStreams {
  readonly #open = new Set<ServerResponse>()
  #pending: string[] = []
  #events = 0
  #timer: NodeJS.Timeout | undefined
  /** Text that every event contains. */
  filler = ''

  open(response: ServerResponse): void {
    response.writeHead(200, HEAD)
    response.write(': connected\n\n')
    this.#open.add(response)
    this.#timer ??= setInterval(() => this.#send(), INTERVAL_MS)
    response.once('close', () => this.#remove(response))
  }

  publish(text: string): void {
    this.#pending.push(text)
  }

  #send(): void {
    this.#events += 1
    const event = Buffer.from(`id: ${this.#events}\ndata: ${this.filler}${this.#pending.join('')}\n\n`)
    this.#pending = []
    for (const response of this.#open) response.write(event)
  }

  #remove(response: ServerResponse): void {
    this.#open.delete(response)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
