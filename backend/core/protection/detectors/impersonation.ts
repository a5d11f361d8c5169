/** Detects new names that look like the name of a verified or promoted server. */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { Conclusion, Detector, RegisteredServer, RunningDetector, ServerChange } from '#backend/core/protection/detector.ts'
import { type Finding, evidence } from '#backend/core/protection/finding.ts'
import { type ComparableName, areAlike, areNearlySame, comparableName } from './name-similarity.ts'

const HOUR_MS = 3_600_000

export const impersonation: Detector = {
  kind: 'IMPERSONATION',
  explanation: () => m.issue_impersonation_explanation(),
  remedy: () => m.issue_impersonation_remedy(),
  escalationPolicy: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    // Similarity to a server that is only promoted stays a notice.
    { consequence: 'UNRANKED', afterMs: 48 * HOUR_MS, afterOccurrences: 1, severity: 'HIGH' },
  ],
  autoResolveAfterMs: undefined,
  resolvesWhen: () => m.issue_impersonation_resolves(),
  dryRun: {
    source: 'names',
    limitations:
      'A dry run compares all names; the running list compares only new and changed ones. Renames are not stored, so a dry run skips servers that are older than the one they resemble.',
  },
  create: () => new Impersonation(),
}

interface ProtectedServer extends RegisteredServer {
  readonly comparable: ComparableName
}

export class Impersonation implements RunningDetector {
  /** Verified and promoted servers. */
  readonly #protected = new Map<string, ProtectedServer>()

  /** Set when a protected name may be gone, because that resolves issues. Also set at startup. */
  isReviewDue = true

  loadServer({ publicId, ownerId, name, verified, promoted, createdAt }: RegisteredServer): void {
    const previous = this.#protected.get(publicId)
    const isProtected = verified || promoted
    const isUnchanged = previous?.name === name && previous.verified === verified && previous.ownerId === ownerId
    if (!isProtected) this.#protected.delete(publicId)
    else if (!isUnchanged)
      this.#protected.set(publicId, { publicId, ownerId, name, verified, promoted, createdAt, comparable: comparableName(name) })
    if (previous === undefined) return
    // A server that is only promoted now conflicts with fewer names.
    if (!isProtected || name !== previous.name || ownerId !== previous.ownerId || (previous.verified && !verified)) this.isReviewDue = true
  }

  forget(publicId: string): void {
    if (this.#protected.delete(publicId)) this.isReviewDue = true
  }

  changed({ server, previous, isLocal, at }: ServerChange): Conclusion | undefined {
    this.loadServer(server)
    if (!isLocal) return undefined
    if (previous === undefined) return { finding: this.findImitation(server, at) }
    if (previous.name === server.name)
      return !previous.verified && server.verified ? { resolveReason: m.resolution_verified({}, STORED) } : undefined
    const finding = this.findImitation(server, at, previous)
    if (finding === undefined || !this.looksLike(previous, finding.fingerprint))
      return { resolveReason: m.resolution_renamed({}, STORED), finding }
    // The new name imitates the same server, so the issue stays open.
    this.isReviewDue = true
    return { finding }
  }

  /** Resolves an issue if the imitated server changed, and looks for another server with a similar name. */
  review(server: RegisteredServer, fingerprint: string, at: number): Conclusion | undefined {
    if (fingerprint.startsWith(SAME_NAME_PREFIX) || fingerprint === REJECTED_NAME || this.looksLike(server, fingerprint)) return undefined
    return { resolveReason: m.resolution_not_similar({}, STORED), finding: this.findImitation(server, at) }
  }

  /** @param at wall milliseconds. @param previous the server before its rename. */
  findImitation(server: RegisteredServer, at: number, previous?: RegisteredServer): Finding | undefined {
    const former = previous && this.#findImitated(previous, true)
    const isStillSimilar = former !== undefined && this.looksLike(server, former.publicId)
    const imitated = isStillSimilar ? former : this.#findImitated(server, previous !== undefined)
    if (imitated === undefined) return undefined
    const summary = imitated.verified ? m.finding_impersonation_verified : m.finding_impersonation_promoted
    const names = { name: server.name, other: imitated.name, id: imitated.publicId }
    return {
      kind: 'IMPERSONATION',
      publicId: server.publicId,
      fingerprint: imitated.publicId,
      // Promotion can be bought, so similarity to a promoted server never escalates.
      severity: imitated.verified ? 'HIGH' : 'MEDIUM',
      summary: summary(names, STORED),
      at,
      occurrences: 1,
      items: [evidence(at, m.finding_impersonation_observed(names, STORED), m.finding_impersonation_expected(names, STORED))],
    }
  }

  /** Whether the server's name is still similar to that of the protected server. */
  looksLike(server: RegisteredServer, protectedId: string): boolean {
    const candidate = this.#protected.get(protectedId)
    return candidate !== undefined && !server.verified && imitates(server, comparableName(server.name), candidate, true)
  }

  /** Finds the server that this one imitates; a verified one takes precedence. A verified server imitates none. */
  #findImitated(server: RegisteredServer, isRenamed: boolean): RegisteredServer | undefined {
    if (server.verified || this.#protected.size === 0) return undefined
    const name = comparableName(server.name)
    let found: ProtectedServer | undefined
    for (const candidate of this.#protected.values()) {
      if (!imitates(server, name, candidate, isRenamed)) continue
      if (candidate.verified) return candidate
      found ??= candidate
    }
    return found
  }
}

/** An older server imitates none, unless it was renamed and the other one is verified. */
function imitates(server: RegisteredServer, name: ComparableName, other: ProtectedServer, isRenamed: boolean): boolean {
  if (other.publicId === server.publicId || other.ownerId === server.ownerId) return false
  const isOlder = server.createdAt < other.createdAt
  if (other.verified) return (!isOlder || isRenamed) && areAlike(name, other.comparable)
  return !isOlder && areNearlySame(name, other.comparable)
}

/** Starts the fingerprint of these findings. Later changes of verified or promoted servers do not resolve them. */
const SAME_NAME_PREFIX = 'same name as '

/** The fingerprint of a name with a character that names can no longer contain. */
const REJECTED_NAME = 'rejected name'

interface NamedServer {
  readonly public_id: string
  readonly name: string
}

export function sameNameFinding(server: NamedServer, other: NamedServer, at: number): Finding {
  const names = { name: server.name, other: other.name, id: other.public_id }
  const expected = m.finding_impersonation_same_expected(names, STORED)
  return formerRuleFinding(server, `${SAME_NAME_PREFIX}${other.public_id}`, m.finding_impersonation_same(names, STORED), expected, at)
}

/** @param character such as `U+2065`. */
export function rejectedNameFinding(server: NamedServer, character: string, at: number): Finding {
  const summary = m.finding_impersonation_rejected({ name: server.name, character }, STORED)
  return formerRuleFinding(server, REJECTED_NAME, summary, m.finding_impersonation_rejected_expected({}, STORED), at)
}

/** Not the owner's doing, because the naming rule changed. */
function formerRuleFinding({ public_id: publicId, name }: NamedServer, fingerprint: string, summary: string, expected: string, at: number) {
  const observed = m.finding_impersonation_observed({ name }, STORED)
  const items = [evidence(at, observed, expected)]
  return { kind: 'IMPERSONATION', publicId, fingerprint, severity: 'LOW', summary, at, occurrences: 1, items } satisfies Finding
}
