/** How a message looks on its way: one JSON text that a notification can carry. */

/** PostgreSQL carries less than 8000 bytes. */
const MOST_BYTES = 7999

/**
 * What nodes say beside the topics of the slices: that they are there, that they go, that something was never said, that something is
 * done, and, with each heartbeat, what nobody but the sender needs to hear.
 */
export type OwnTopic = 'hello' | 'bye' | 'gap' | 'done' | 'echo'

/** Which message was done, and whose. */
export interface Done {
  readonly to: string
  readonly number: number
}

export interface Message {
  /** Who says it. */
  readonly node: string
  /** Goes up with each message of a node: no two are the same text, of which the database would drop one. */
  readonly number: number
  readonly topic: string
  readonly said: unknown
  /** Whether it is to be answered with `done`. */
  readonly asks: boolean
}

export function write({ node, number, topic, said, asks }: Message): string {
  return JSON.stringify({ n: node, i: number, t: topic, d: said, ...(asks && { q: 1 }) })
}

/** Undefined where it is no message of ours: anybody who may use the database may say anything there. */
export function read(payload: string): Message | undefined {
  try {
    const { n, i, t, d, q } = JSON.parse(payload) as Record<string, unknown>
    if (typeof n !== 'string' || typeof i !== 'number' || typeof t !== 'string' || typeof d !== 'object' || d === null) return undefined
    return t === 'done' && !isDone(d) ? undefined : { node: n, number: i, topic: t, said: d, asks: q === 1 }
  } catch {
    return undefined
  }
}

function isDone(said: object): said is Done {
  const { to, number } = said as Partial<Done>
  return typeof to === 'string' && typeof number === 'number'
}

/**
 * In as many pieces as it needs: the longest list (or table) in it is halved until each fits. Answers undefined where one does not fit even so.
 * @param numbers gives each piece its number.
 */
export function pack(message: Omit<Message, 'number'>, nextNumber: () => number): Map<number, string> | undefined {
  const packed = new Map<number, string>()
  const left = [message.said]
  for (let said = left.pop(); said !== undefined; said = left.pop()) {
    const number = nextNumber()
    const payload = write({ ...message, said, number })
    if (Buffer.byteLength(payload) <= MOST_BYTES) packed.set(number, payload)
    else {
      const halves = halve(said as object)
      if (halves === undefined) return undefined
      left.push(...halves)
    }
  }
  return packed
}

function halve(said: object): [object, object] | undefined {
  const parts = Object.entries(said) as [string, unknown][]
  const lists = parts.map(([key, value]) => [key, typeof value === 'object' && value !== null ? Object.entries(value) : []] as const)
  const [key, entries] = lists.reduce((most, list) => (list[1].length > most[1].length ? list : most))
  if (entries.length < 2) return undefined
  const isList = Array.isArray((said as Record<string, unknown>)[key])
  const middle = Math.ceil(entries.length / 2)
  const half = (from: number, to?: number) => {
    const some = entries.slice(from, to)
    return { ...said, [key]: isList ? some.map(([, value]) => value as unknown) : Object.fromEntries(some) }
  }
  return [half(middle), half(0, middle)]
}
