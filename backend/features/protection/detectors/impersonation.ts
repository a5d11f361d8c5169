/** A new name that looks like the name of a verified or promoted server. */
import type { Finding, Rule } from '#backend/features/protection/finding.ts'
import { type ComparedName, areAlike, areNearlySame, compared } from './name-likeness.ts'

const HOUR_MS = 3_600_000

export const impersonation: Rule = {
  kind: 'IMPERSONATION',
  title: "The name looks like another server's",
  explanation:
    'The name of this server can be taken for the name of a verified or promoted server of somebody else: the same letters, or letters that look the same. Players who look for the other server would join this one.',
  remedy:
    'Rename the server so that nobody takes it for the other one. If you run both, or the name is yours by right, answer here and say so; an administrator decides.',
  ladder: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    // What is close to one that is only promoted is less grave, and stays a notice.
    { consequence: 'UNRANKED', afterMs: 48 * HOUR_MS, afterOccurrences: 1, severity: 'HIGH' },
  ],
  quietMs: undefined,
  ends: 'It resolves as soon as the server has a name that is not close to the other one, or by the decision of an administrator.',
}

export interface NameSeen {
  readonly publicId: string
  readonly ownerId: string
  readonly name: string
  readonly verified: boolean
  readonly promoted: boolean
  /** Wall milliseconds since when the server is registered. */
  readonly createdAt: number
}

interface Known extends NameSeen {
  readonly compared: ComparedName
}

/** Knows the names of all verified and promoted servers, and tells which new name could be taken for one of them. */
export class Impersonation {
  readonly #known = new Map<string, Known>()

  /** Takes in what a server is called and whether it is verified or promoted now. Answers whether a name known before is not known any more. */
  learn(seen: NameSeen): boolean {
    const before = this.#known.get(seen.publicId)
    if (seen.verified || seen.promoted) {
      if (before?.name !== seen.name || before.verified !== seen.verified || before.ownerId !== seen.ownerId)
        this.#known.set(seen.publicId, { ...seen, compared: before?.name === seen.name ? before.compared : compared(seen.name) })
    } else this.#known.delete(seen.publicId)
    const isKnown = this.#known.get(seen.publicId)
    if (before === undefined) return false
    return (
      isKnown === undefined ||
      isKnown.name !== before.name ||
      isKnown.ownerId !== before.ownerId ||
      // Of one that is only promoted now less is taken for it.
      (before.verified && !isKnown.verified)
    )
  }

  forget(publicId: string): boolean {
    return this.#known.delete(publicId)
  }

  /** A new name, or a changed one. @param at wall milliseconds. @param before what the server was called before, where it was renamed. */
  observe(seen: NameSeen, at: number, before?: NameSeen): Finding | undefined {
    const former = before && this.#imitatedBy(before, true)
    const isStillTaken = former !== undefined && this.isTakenFor(seen, former.publicId)
    const known = isStillTaken ? former : this.#imitatedBy(seen, before !== undefined)
    if (known === undefined) return undefined
    const what = known.verified ? 'verified' : 'promoted'
    return {
      kind: 'IMPERSONATION',
      publicId: seen.publicId,
      fingerprint: known.publicId,
      // Anybody who pays for it is promoted: nothing but a word follows from being close to that.
      severity: known.verified ? 'HIGH' : 'MEDIUM',
      summary: `The name “${seen.name}” can be taken for the ${what} server “${known.name}” of somebody else.`,
      at,
      occurrences: 1,
      items: [
        {
          at: new Date(at).toISOString(),
          observed: `It is called “${seen.name}”.`,
          expected: `A name that nobody takes for “${known.name}” (${known.publicId}).`,
          address: null,
        },
      ],
    }
  }

  /** Whether this name could still be taken for that server's. */
  isTakenFor(seen: NameSeen, knownId: string): boolean {
    const known = this.#known.get(knownId)
    return known !== undefined && !seen.verified && isTaken(seen, compared(seen.name), known, true)
  }

  /** The server whose name this one could be taken for; a verified one before a promoted one. Who is verified himself imitates nobody. */
  #imitatedBy(seen: NameSeen, isRenamed: boolean): NameSeen | undefined {
    if (seen.verified || this.#known.size === 0) return undefined
    const own = compared(seen.name)
    let found: Known | undefined
    for (const known of this.#known.values()) {
      if (!isTaken(seen, own, known, isRenamed)) continue
      if (known.verified) return known
      found ??= known
    }
    return found
  }
}

/** Who was there first imitates nobody, unless he took his name later; and nobody who is only promoted takes a name from those before him. */
function isTaken(seen: NameSeen, own: ComparedName, known: Known, isRenamed: boolean): boolean {
  if (known.publicId === seen.publicId || known.ownerId === seen.ownerId) return false
  const isOlder = seen.createdAt < known.createdAt
  if (known.verified) return (!isOlder || isRenamed) && areAlike(own, known.compared)
  return !isOlder && areNearlySame(own, known.compared)
}
