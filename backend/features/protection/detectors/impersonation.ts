/** A new name that looks like the name of a verified or promoted server. */
import type { Conclusion, Detector, RegisteredServer, RunningDetector, ServerChange } from '#backend/features/protection/detector.ts'
import { type Finding, evidence } from '#backend/features/protection/finding.ts'
import { type ComparableName, areAlike, areNearlySame, comparableName } from './name-similarity.ts'

const HOUR_MS = 3_600_000

export const impersonation: Detector = {
  kind: 'IMPERSONATION',
  title: "The name looks like another server's",
  explanation:
    'The name of this server can be taken for the name of a verified or promoted server of somebody else: the same letters, or letters that look the same. Players who look for the other server would join this one.',
  remedy:
    'Rename the server so that nobody takes it for the other one. If you run both, or the name is yours by right, answer here and say so; an administrator decides.',
  escalationPolicy: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    // What is close to one that is only promoted is less grave, and stays a notice.
    { consequence: 'UNRANKED', afterMs: 48 * HOUR_MS, afterOccurrences: 1, severity: 'HIGH' },
  ],
  autoResolveAfterMs: undefined,
  resolvesWhen: 'It resolves as soon as the server has a name that is not close to the other one, or by the decision of an administrator.',
  dryRun: {
    source: 'names',
    limitations:
      'All names are compared; the running list compares new and changed ones. Nothing tells whether a server took its name later, so one that was there before the other is passed over.',
  },
  create: () => new Impersonation(),
}

interface ProtectedServer extends RegisteredServer {
  readonly compared: ComparableName
}

/** Knows the names of all verified and promoted servers, and finds new names that could be taken for one of them. */
export class Impersonation implements RunningDetector {
  readonly #protected = new Map<string, ProtectedServer>()

  /** A known name may be gone, so that issues about it are over. At the start, too. */
  isReviewDue = true

  /** Keeps the name of a verified or promoted server, and drops any other. */
  loadServer({ publicId, ownerId, name, verified, promoted, createdAt }: RegisteredServer): void {
    const before = this.#protected.get(publicId)
    const isKnown = verified || promoted
    const isSame = before?.name === name && before.verified === verified && before.ownerId === ownerId
    if (!isKnown) this.#protected.delete(publicId)
    else if (!isSame)
      this.#protected.set(publicId, { publicId, ownerId, name, verified, promoted, createdAt, compared: comparableName(name) })
    if (before === undefined) return
    // Fewer names are close to a server that is only promoted now.
    if (!isKnown || name !== before.name || ownerId !== before.ownerId || (before.verified && !verified)) this.isReviewDue = true
  }

  forget(publicId: string): void {
    if (this.#protected.delete(publicId)) this.isReviewDue = true
  }

  changed({ server, previous: before, isLocal: isHere, at }: ServerChange): Conclusion | undefined {
    this.loadServer(server)
    if (!isHere) return undefined
    if (before === undefined) return { finding: this.findImitation(server, at) }
    if (before.name === server.name) return !before.verified && server.verified ? { resolveReason: 'The server was verified.' } : undefined
    const finding = this.findImitation(server, at, before)
    if (finding === undefined || !this.looksLike(before, finding.fingerprint)) return { resolveReason: 'The server was renamed.', finding }
    // From one imitation to the next the issue goes on.
    this.isReviewDue = true
    return { finding }
  }

  /** Ends an issue if the other server has changed, and looks for another one with a name like it. */
  review(server: RegisteredServer, fingerprint: string, at: number): Conclusion | undefined {
    if (fingerprint.startsWith(SAME_NAME_PREFIX) || this.looksLike(server, fingerprint)) return undefined
    return { resolveReason: 'No verified or promoted server has a name close to it any more.', finding: this.findImitation(server, at) }
  }

  /** @param at wall milliseconds. @param before the server as it was before it was renamed. */
  findImitation(seen: RegisteredServer, at: number, before?: RegisteredServer): Finding | undefined {
    const former = before && this.#findImitated(before, true)
    const isStillTaken = former !== undefined && this.looksLike(seen, former.publicId)
    const known = isStillTaken ? former : this.#findImitated(seen, before !== undefined)
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
      items: [evidence(at, `It is called “${seen.name}”.`, `A name that nobody takes for “${known.name}” (${known.publicId}).`)],
    }
  }

  /** Whether this name could still be taken for that server's. */
  looksLike(seen: RegisteredServer, knownId: string): boolean {
    const known = this.#protected.get(knownId)
    return known !== undefined && !seen.verified && imitates(seen, comparableName(seen.name), known, true)
  }

  /** The server this one could be taken for, a verified one before a promoted one. A verified server imitates nobody. */
  #findImitated(seen: RegisteredServer, isRenamed: boolean): RegisteredServer | undefined {
    if (seen.verified || this.#protected.size === 0) return undefined
    const own = comparableName(seen.name)
    let found: ProtectedServer | undefined
    for (const known of this.#protected.values()) {
      if (!imitates(seen, own, known, isRenamed)) continue
      if (known.verified) return known
      found ??= known
    }
    return found
  }
}

/** An older server imitates nobody, unless it took its name later and the known one is verified. */
function imitates(seen: RegisteredServer, own: ComparableName, known: ProtectedServer, isRenamed: boolean): boolean {
  if (known.publicId === seen.publicId || known.ownerId === seen.ownerId) return false
  const isOlder = seen.createdAt < known.createdAt
  if (known.verified) return (!isOlder || isRenamed) && areAlike(own, known.compared)
  return !isOlder && areNearlySame(own, known.compared)
}

/** What the fingerprint of such a finding begins with. No later change of verified or promoted servers resolves it. */
const SAME_NAME_PREFIX = 'same name as '

interface NamedServer {
  readonly public_id: string
  readonly name: string
}

export function sameNameFinding(server: NamedServer, other: NamedServer, at: number): Finding {
  return {
    kind: 'IMPERSONATION',
    publicId: server.public_id,
    fingerprint: `${SAME_NAME_PREFIX}${other.public_id}`,
    // Nobody did anything: the rule of names changed.
    severity: 'LOW',
    summary: `The name “${server.name}” looks the same as the name of the server “${other.name}”. It was allowed by an earlier rule and stays.`,
    at,
    occurrences: 1,
    items: [evidence(at, `It is called “${server.name}”.`, `A name that does not look like “${other.name}” (${other.public_id}).`)],
  }
}
