/** How a message looks on its way: one JSON text that a notification can carry. */

/** PostgreSQL carries less than 8000 bytes. */
const MAX_BYTES = 7999

/** What the bus itself sends, beside the topics of `bus.ts`: `gap` where something was dropped, `echo` with each heartbeat for the sender alone. */
export type OwnTopic = 'hello' | 'bye' | 'gap' | 'done' | 'echo'

export interface Done {
  readonly to: string
  readonly number: number
}

export interface Message {
  readonly node: string
  /** Goes up with each message of a node: the database would drop one of two with the same text. */
  readonly number: number
  readonly topic: string
  readonly said: object
  /** Whether it is to be answered with `done`. */
  readonly asks: boolean
}

export function write({ node, number, topic, said, asks }: Message): string {
  return JSON.stringify({ n: node, i: number, t: topic, d: said, ...(asks && { q: 1 }) })
}

/** Undefined where it is no message of ours: any user of the database may send anything. */
export function read(payload: string): Message | undefined {
  try {
    const { n, i, t, d, q } = JSON.parse(payload) as Record<string, unknown>
    if (typeof n !== 'string' || typeof i !== 'number' || typeof t !== 'string' || typeof d !== 'object' || d === null) return undefined
    return { node: n, number: i, topic: t, said: d, asks: q === 1 }
  } catch {
    return undefined
  }
}

/** Halves the longest list (or table) in a message until each piece can be sent. Undefined where that is not possible. */
export function pack(message: Omit<Message, 'number'>, nextNumber: () => number): Map<number, string> | undefined {
  const packed = new Map<number, string>()
  const left = [message.said]
  for (let said = left.pop(); said !== undefined; said = left.pop()) {
    const number = nextNumber()
    const payload = write({ ...message, said, number })
    if (Buffer.byteLength(payload) <= MAX_BYTES) packed.set(number, payload)
    else {
      const halves = halve(said)
      if (halves === undefined) return undefined
      left.push(...halves)
    }
  }
  return packed
}

function halve(said: object): [object, object] | undefined {
  const parts: [string, unknown][] = Object.entries(said)
  const lists = parts.map(([key, value]) => [key, typeof value === 'object' && value !== null ? Object.entries(value) : []] as const)
  const [key, entries] = lists.reduce((longest, list) => (list[1].length > longest[1].length ? list : longest))
  if (entries.length < 2) return undefined
  const isList = Array.isArray((said as Record<string, unknown>)[key])
  const middle = Math.ceil(entries.length / 2)
  const half = (from: number, to?: number) => {
    const some = entries.slice(from, to)
    return { ...said, [key]: isList ? some.map(([, value]) => value as unknown) : Object.fromEntries(some) }
  }
  return [half(middle), half(0, middle)]
}
