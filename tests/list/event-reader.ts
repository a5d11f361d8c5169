/** Reads server-sent events over fetch as an EventSource does, with access to the response. */
import type { ListDelta } from '#contract/masterlist/masterlist.ts'

interface ListEvent {
  readonly id: string
  readonly data: ListDelta
}

export class EventReader {
  readonly response: Response
  readonly #abort: AbortController
  readonly #events: ListEvent[] = []
  /** The `retry` values in order. */
  readonly retries: number[] = []
  readonly comments: string[] = []
  readonly ended: Promise<void>
  #wake: () => void = () => undefined

  private constructor(response: Response, ending: AbortController) {
    this.response = response
    this.#abort = ending
    this.ended = this.#read().catch(() => undefined)
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
    const ending = new AbortController()
    return new EventReader(await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: ending.signal }), ending)
  }

  /** The next event that `wanted` accepts. */
  async next(matches: (event: ListEvent) => boolean = () => true): Promise<ListEvent> {
    for (;;) {
      const event = this.#events.shift()
      if (event !== undefined && matches(event)) return event
      if (event === undefined)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  close(): void {
    this.#abort.abort()
  }

  async #read(): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of this.response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.#parse(block)
      this.#wake()
    }
  }

  #parse(block: string): void {
    let [id, data] = ['', '']
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? []
      if (field === '') this.comments.push(value)
      else if (field === 'retry') this.retries.push(Number(value))
      else if (field === 'id') id = value
      else if (field === 'data') data += value
      else throw new Error(`Unexpected field in an event: ${field}.`)
    }
    if (data !== '') this.#events.push({ id, data: JSON.parse(data) as ListDelta })
  }
}
