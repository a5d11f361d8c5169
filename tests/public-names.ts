/** Puts servers with names that registration rejects into the database, as rows from before a rule may have. */
import { sql } from 'kysely'
import type { TestApp } from './harness.ts'
import { NASTY_NAMES } from './nasty-names.ts'

/** What replacement functions, templates and scripts could take for their own. */
const MORE = ['</script><script>alert(2)</script>', '<!-- <script>', '$& $1 $` $$', "$' x", '%s %d %o', '{{constructor}}', '<bdi>&lt;b&gt;']

/** Names as Postgres can store them: without U+0000 and lone surrogates. */
export const STORABLE_NAMES: readonly string[] = [...new Set([...MORE, ...NASTY_NAMES])].filter(
  (name) => !name.includes('\0') && name.isWellFormed() && name.trim() !== '',
)

/** Renames these servers, in order. The list reads the names when it starts. */
export async function storeNames({ db }: Pick<TestApp, 'db'>, publicIds: readonly string[], names: readonly string[]): Promise<void> {
  for (const [index, id] of publicIds.entries()) {
    const name = names[index] ?? ''
    await sql`update all_servers set name = ${name}, description = ${name}, game_mode = ${name.slice(0, 32)} where public_id = ${id}`.execute(
      db,
    )
  }
}
