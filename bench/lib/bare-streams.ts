/** The yardstick of streams: what was told within a beat is one server-sent event, written to each who listens in one go. */
import type { ServerResponse } from 'node:http'

const BEAT_MS = 250
const HEAD = ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store']

export class BareStreams {
  readonly #open = new Set<ServerResponse>()
  #told: string[] = []
  #events = 0
  #beat: NodeJS.Timeout | undefined
  /** What every event says, beside what was told. */
  filler = ''

  open(response: ServerResponse): void {
    response.writeHead(200, HEAD)
    response.write(': you are listening\n\n')
    this.#open.add(response)
    this.#beat ??= setInterval(() => this.#send(), BEAT_MS)
    response.once('close', () => this.#leave(response))
  }

  tell(text: string): void {
    this.#told.push(text)
  }

  #send(): void {
    this.#events += 1
    const event = Buffer.from(`id: ${this.#events}\ndata: ${this.filler}${this.#told.join('')}\n\n`)
    this.#told = []
    for (const response of this.#open) response.write(event)
  }

  #leave(response: ServerResponse): void {
    this.#open.delete(response)
    if (this.#open.size > 0) return
    clearInterval(this.#beat)
    this.#beat = undefined
  }
}
