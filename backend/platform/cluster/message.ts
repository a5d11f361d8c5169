/** The JSON format of bus messages, sized to fit a notification. */

/** PostgreSQL accepts fewer than 8000 bytes. */
const MAX_BYTES = 7999

/** Messages of the bus itself. `gap`: something was dropped. `echo`: sent with each heartbeat, for the sender alone. */
export type ControlTopic = 'hello' | 'bye' | 'gap' | 'ack' | 'echo'

export interface Ack {
  readonly to: string
  readonly number: number
}

export interface Message {
  readonly node: string
  /** Increases with each message of a node. PostgreSQL would drop one of two notifications with the same text. */
  readonly number: number
  readonly topic: string
  readonly data: object
  /** Whether the sender waits for an `ack`. */
  readonly wantsAck: boolean
}

export function encode({ node, number, topic, data, wantsAck }: Message): string {
  return JSON.stringify({ n: node, i: number, t: topic, d: data, ...(wantsAck && { q: 1 }) })
}

/** Undefined for anything else: any user of the database may send on this channel. */
export function decode(payload: string): Message | undefined {
  try {
    const { n, i, t, d, q } = JSON.parse(payload) as Record<string, unknown>
    if (typeof n !== 'string' || typeof i !== 'number' || typeof t !== 'string' || typeof d !== 'object' || d === null) return undefined
    return { node: n, number: i, topic: t, data: d, wantsAck: q === 1 }
  } catch {
    return undefined
  }
}

/** Encodes a message in as many pieces as needed: halves its longest list or table until each fits. Undefined if that is impossible. */
export function encodeInPieces(message: Omit<Message, 'number'>, nextNumber: () => number): Map<number, string> | undefined {
  const encoded = new Map<number, string>()
  const pending = [message.data]
  for (let data = pending.pop(); data !== undefined; data = pending.pop()) {
    const number = nextNumber()
    const payload = encode({ ...message, data, number })
    if (Buffer.byteLength(payload) <= MAX_BYTES) encoded.set(number, payload)
    else {
      const halves = halve(data)
      if (halves === undefined) return undefined
      pending.push(...halves)
    }
  }
  return encoded
}

function halve(data: object): [object, object] | undefined {
  const fields: [string, unknown][] = Object.entries(data)
  const lists = fields.map(([key, value]) => [key, typeof value === 'object' && value !== null ? Object.entries(value) : []] as const)
  const [key, entries] = lists.reduce((longest, list) => (list[1].length > longest[1].length ? list : longest))
  if (entries.length < 2) return undefined
  const isList = Array.isArray((data as Record<string, unknown>)[key])
  const middle = Math.ceil(entries.length / 2)
  const half = (from: number, to?: number) => {
    const part = entries.slice(from, to)
    return { ...data, [key]: isList ? part.map(([, value]) => value as unknown) : Object.fromEntries(part) }
  }
  return [half(middle), half(0, middle)]
}
