/** Calls the list over each address family that the owner chose. The replies count as one. */
import { type CallOptions, type Reply, sendAnnounce, sendGoodbye } from './call.ts'
import { fetchOver } from './family-fetch.ts'
import type { Family, Notice } from './types.ts'

interface Route {
  /** Empty if the system chooses the family. */
  readonly name: string
  readonly call: CallOptions
  /** No announce over it before this time. */
  heldUntil: number
  /** The newest reply, or the first of several failures in a row. */
  reply: Reply | undefined
}

/** After a rejection without Retry-After: the owner may remove the cause in the panel. */
export const REJECTED_SECONDS = 30
/** How long the other family may take after one was accepted. A firewall that drops everything must not delay the next announce. */
const PATIENCE_MS = 3000

const now = () => performance.now()

export class FamilyCalls {
  readonly #routes: readonly Route[]

  /** @param families none if the system chooses, or if the options have a `fetch`, which chooses */
  constructor(call: CallOptions, families: readonly Family[]) {
    const route = (name: string, own: CallOptions): Route => ({ name, call: own, heldUntil: 0, reply: undefined })
    const isChosen = families.length === 0 || call.fetch !== undefined
    this.#routes = isChosen
      ? [route('', call)]
      : [...new Set(families)].map((family) => route(`IPv${family}`, { ...call, fetch: fetchOver(family) }))
  }

  /** How many calls an announce takes. */
  get count(): number {
    return this.#routes.length
  }

  /** Announces over each family that is not held back by a rejection. @param abort ends the calls early */
  async announce(body: string, abort = new AbortController()): Promise<Reply> {
    const free = this.#routes.filter(({ heldUntil }) => heldUntil <= now())
    const due = free.length > 0 ? free : this.#routes
    let patience: ReturnType<typeof setTimeout> | undefined
    const replies = await Promise.all(
      due.map(async (route) => {
        const reply = await sendAnnounce(route.call, body, abort.signal)
        if (reply.result === 'accepted') patience ??= setTimeout(() => abort.abort(new Error('no reply in time')), PATIENCE_MS)
        remember(route, reply)
        return reply
      }),
    )
    clearTimeout(patience)
    const [first] = replies as [Reply, ...Reply[]]
    return this.count === 1 ? first : mergeReplies(replies, first, this.#routes)
  }

  /** Takes the server off the list, over one family: the next is called only if the one before fails. */
  async sayGoodbye(port: number, signal: AbortSignal): Promise<void> {
    const isAccepted = ({ reply }: Route) => reply?.result === 'accepted'
    for (const { call } of [...this.#routes].sort((a, b) => Number(isAccepted(b)) - Number(isAccepted(a)))) {
      const { result } = await sendGoodbye(call, port, signal)
      if (result === 'accepted' || signal.aborted) return
    }
  }
}

function remember(route: Route, reply: Reply): void {
  if (reply.result !== 'failed' || route.reply?.result !== 'failed') route.reply = reply
  const seconds = reply.result === 'accepted' ? 0 : (reply.retryAfter ?? (reply.result === 'rejected' ? REJECTED_SECONDS : 0))
  route.heldUntil = now() + seconds * 1000
}

/**
 * One accepted call is enough: what is wrong over the other family is a notice. Without one, the rejection counts that ends first.
 * @param replies of this announce @param first of them
 */
function mergeReplies(replies: readonly Reply[], first: Reply, routes: readonly Route[]): Reply {
  const accepted = replies.filter((reply) => reply.result === 'accepted')
  const rejected = replies.filter((reply) => reply.result === 'rejected')
  const [best] = accepted
  if (best !== undefined)
    return {
      result: 'accepted',
      // Late enough for both.
      accepted: { ...best.accepted, nextAnnounceSeconds: Math.max(...accepted.map((reply) => reply.accepted.nextAnnounceSeconds)) },
      notices: distinct([...accepted.flatMap(({ notices }) => notices), ...routes.flatMap(noticesOf)]),
    }
  const [soonest] = rejected.toSorted((a, b) => (a.retryAfter ?? REJECTED_SECONDS) - (b.retryAfter ?? REJECTED_SECONDS))
  if (soonest === undefined) return first
  const texts = (key: 'message' | 'remedy') => [...new Set(rejected.map(({ rejection }) => rejection[key]))].join(' ')
  return { ...soonest, rejection: { code: soonest.rejection.code, message: texts('message'), remedy: texts('remedy') } }
}

const distinct = (notices: readonly Notice[]) =>
  notices.filter((notice, index) => notices.findIndex(({ code, message }) => code === notice.code && message === notice.message) === index)

/** What is wrong over a family. */
function noticesOf({ name, reply }: Route): Notice[] {
  if (reply?.result === 'rejected')
    return [{ ...reply.rejection, message: `Over ${name}, the list rejects the announce: ${reply.rejection.message}` }]
  if (reply?.result !== 'failed') return []
  return [
    {
      code: 'FAMILY_SKIPPED',
      message: `The list cannot be reached over ${name}: ${reply.message}.`,
      remedy: 'Announces go on without it.',
    },
  ]
}
