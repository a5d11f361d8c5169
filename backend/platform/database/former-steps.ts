/**
 * Steps that were edited after they had run somewhere. A database with a former step is recognised by its recorded digest and brought to the
 * step's final form. Nothing is added here: a released migration never changes (docs/decisions/0035).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { MIGRATIONS, type MigrationStep } from './migration-steps.ts'
import type { Db } from './open.ts'

/** By the SHA-256 of the step as it ran: what makes its final form of it. */
const UPGRADES: readonly { readonly name: string; readonly digest: string; readonly file: string }[] = [
  {
    name: '0005_scale',
    digest: 'eaa8c964004368bffca81fb01632a303fe416aec95c3b99ef0ad7cdd5ad3dd9e',
    file: '0005_scale.first.sql',
  },
  {
    name: '0005_scale',
    digest: 'd1c3e937a1ef0b1402744f12c517bfff6d7f53c20ad44e5a58a23aa59c765a4f',
    file: '0005_scale.second.sql',
  },
]

/** Runs in the transaction of the migration. */
export async function upgradeFormerSteps(trx: Db, steps: readonly MigrationStep[]): Promise<void> {
  for (const { name, digest, file } of UPGRADES) {
    const final = steps.find((step) => step.name === name)?.digest
    if (final === undefined) continue
    const { numUpdatedRows } = await trx
      .updateTable('schema_migrations')
      .set({ digest: final })
      .where('name', '=', name)
      .where('digest', '=', digest)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) continue
    await sql.raw(await readFile(join(MIGRATIONS, 'former', file), 'utf8')).execute(trx)
    // What versions up to 1.3.0 compare with.
    await trx.updateTable('migration_digests').set({ digest: final }).where('name', '=', name).execute()
  }
}
