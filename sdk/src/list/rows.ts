/** The servers of a list: by ID, and in the order of the list. */
import type { ListChange, ListColumns, ListDelta, ListedServer } from './types.ts'

/** Columns as rows. A list without columns replies with rows. */
export function rowsOf(reply: unknown): ListedServer[] | undefined {
  if (Array.isArray(reply)) return reply as ListedServer[]
  const columns = Object(reply) as ListColumns
  if (!Array.isArray(columns.publicId)) return undefined
  const names = Object.keys(columns) as (keyof ListedServer)[]
  return columns.publicId.map(
    (_, index) => Object.fromEntries(names.map((name) => [name, columns[name][index]])) as unknown as ListedServer,
  )
}

/** The order of the list. It does not know which servers a protection issue moved to the end. */
export function compare(a: ListedServer, b: ListedServer): number {
  const players = (server: ListedServer) => (server.playersConfirmed ? server.playersCount : 0)
  const byText = (first: string, second: string) => (first < second ? -1 : Number(first > second))
  return Number(b.promoted) - Number(a.promoted) || players(b) - players(a) || byText(a.name, b.name) || byText(a.publicId, b.publicId)
}

export class Rows {
  #byId = new Map<string, ListedServer>()
  /** Undefined after a change, until it is read. */
  #inOrder: readonly ListedServer[] | undefined = []

  get inOrder(): readonly ListedServer[] {
    return (this.#inOrder ??= [...this.#byId.values()].sort(compare))
  }

  get(publicId: string): ListedServer | undefined {
    return this.#byId.get(publicId)
  }

  /** Replaces all servers. */
  replace(rows: readonly ListedServer[]): ListChange {
    const previous = this.#byId
    this.#byId = new Map(rows.map((row) => [row.publicId, row]))
    this.#inOrder = rows
    return { changed: rows, removed: [...previous.keys()].filter((id) => !this.#byId.has(id)) }
  }

  /** Returns undefined, and changes nothing, if the delta needs a server that is missing here. */
  apply({ changed, removed }: ListDelta): ListChange | undefined {
    const merged = changed.map((row) => ({ ...this.#byId.get(row.publicId), ...row }) as ListedServer)
    if (merged.some(({ name }) => name === undefined)) return undefined
    for (const row of merged) this.#byId.set(row.publicId, row)
    const left = removed.filter((id) => this.#byId.delete(id))
    if (merged.length > 0 || left.length > 0) this.#inOrder = undefined
    return { changed: merged, removed: left }
  }
}
