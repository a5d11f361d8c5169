/**
 * Turns the registry into one immutable snapshot at a time and swaps it in. Readers never wait for it; it never stands in the way of
 * announces for longer than a slice.
 */
import { hash } from 'node:crypto'
import { isConfirmed, rowOf } from './listed-row.ts'
import type { Registry } from './registry.ts'
import type { ServerRecord } from './server-record.ts'
import { type Snapshot, type Variants, encode, joinRows } from './snapshot.ts'

/** `playersCount` is 0 to 4096 (contract section 11). */
const PLAYER_STEPS = 4097
/** Branch lists kept for one version; a list's real branches are a handful. */
const MOST_BRANCHES = 16

/** What one publish is made of, taken at one moment. */
interface Draft {
  readonly revision: number
  readonly rows: readonly string[]
  readonly branches: readonly string[]
  readonly bytes: number
  readonly players: number
}

export class Publisher {
  readonly #registry: Registry
  /** Tells one life of the program from the next, so that versions never repeat. */
  readonly #life: string
  #number = 0
  #revision = -1
  #snapshot: Snapshot | undefined
  #branchLists = new Map<string, Promise<Variants>>()

  /** @param life names this process's life in `X-List-Version`. */
  constructor(registry: Registry, life: string) {
    this.#registry = registry
    this.#life = life
  }

  /** Undefined before the first publish. */
  get snapshot(): Snapshot | undefined {
    return this.#snapshot
  }

  get isStale(): boolean {
    return this.#revision !== this.#registry.revision
  }

  /** Takes what the list is now: cheap, in one go, so that what is saved and what is published are the same. */
  draft(): Draft {
    const listed = inListOrder(this.#registry.inNameOrder())
    let bytes = 0
    let players = 0
    const rows = listed.map((server) => {
      const row = rowOf(server)
      bytes += server.rowBytes
      players += server.announced?.playersCount ?? 0
      return row
    })
    return { revision: this.#registry.revision, rows, branches: listed.map((server) => server.announced?.branch ?? ''), bytes, players }
  }

  /** Makes the draft the published list. Where its bytes are the same as before nothing changes, the version neither. */
  async publish(draft: Draft): Promise<void> {
    const variants = await encode(await joinRows(draft.rows, draft.bytes))
    this.#revision = draft.revision
    if (variants.etag === this.#snapshot?.etag) return
    this.#number += 1
    const info = JSON.stringify({ serversCount: draft.rows.length, playersCount: draft.players })
    this.#branchLists = new Map()
    this.#snapshot = {
      ...variants,
      version: `${this.#life}.${this.#number}`,
      servers: draft.rows.length,
      players: draft.players,
      info,
      infoEtag: etagOf(info),
      rows: draft.rows,
      branches: draft.branches,
      branchNames: new Set(draft.branches),
    }
  }

  /**
   * The list of one branch: the whole list where all are on it, the empty one where none is; else made when first asked for in this
   * version and kept until the next.
   */
  branch(snapshot: Snapshot, name: string): Variants | Promise<Variants> {
    if (!snapshot.branchNames.has(name)) return EMPTY
    if (snapshot.branchNames.size === 1) return snapshot
    const kept = this.#branchLists.get(name)
    if (kept !== undefined) return kept
    const rows = snapshot.rows.filter((_, index) => snapshot.branches[index] === name)
    const list = joinRows(
      rows,
      rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0),
    ).then(encode)
    if (snapshot === this.#snapshot && this.#branchLists.size < MOST_BRANCHES) this.#branchLists.set(name, list)
    return list
  }
}

const EMPTY: Promise<Variants> = encode(Buffer.from('[]'))

export function etagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`
}

/**
 * Promoted first, then by players (those that are doubted count as none), then by name and public id; who is not ranked comes last. The
 * names' order is kept by the registry, so this is one stable distribution over the possible player counts: linear, where a sort of
 * 30,000 servers would take tens of milliseconds.
 */
export function inListOrder(byName: readonly ServerRecord[]): ServerRecord[] {
  const steps = Array.from<ServerRecord[] | undefined>({ length: PLAYER_STEPS * 2 + 1 })
  for (const server of byName) {
    if (!server.isListed || server.announced === undefined) continue
    const step = stepOf(server, server.announced.playersCount)
    const there = steps[step]
    if (there === undefined) steps[step] = [server]
    else there.push(server)
  }
  const ordered: ServerRecord[] = []
  for (const there of steps) if (there !== undefined) ordered.push(...there)
  return ordered
}

function stepOf(server: ServerRecord, players: number): number {
  if (server.fields.standing.isUnranked) return PLAYER_STEPS * 2
  return PLAYER_STEPS - 1 - (isConfirmed(server) ? players : 0) + (server.fields.promoted ? 0 : PLAYER_STEPS)
}
