/** Reads the migrations: files `NNNN_name.sql`, in name order. A released file never changes. */
import { hash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export const MIGRATIONS = join(import.meta.dirname, 'migrations')

export interface MigrationStep {
  readonly name: string
  readonly text: string
  /** SHA-256, hexadecimal. */
  readonly digest: string
  /** The oldest version that works on the schema after this step. */
  readonly compatibleWith: string
}

/** Steps up to this one declare no version. Every version since 1.3 works on them. */
const LAST_WITHOUT_DECLARATION = '0005_scale'
const FIRST_VERSION = '1.3'

/** Throws if a step does not declare its oldest compatible version. */
export async function readSteps(folder: string): Promise<readonly MigrationStep[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      const name = file.replace(/\.sql$/, '')
      return { name, text, digest: hash('sha256', text), compatibleWith: compatibleWith(name, text) }
    }),
  )
}

function compatibleWith(name: string, text: string): string {
  if (name <= LAST_WITHOUT_DECLARATION) return FIRST_VERSION
  const declared = /^-- compatible-with: (\d+(?:\.\d+){1,2})\n/.exec(text)?.[1]
  if (declared === undefined)
    throw new Error(
      `Migration ${name} must begin with "-- compatible-with: VERSION", the oldest version of Muster that can run on the schema after it.`,
    )
  return declared
}
