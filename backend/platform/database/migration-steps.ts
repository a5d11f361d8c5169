/** Reads the migrations: files `NNNN_name.sql`, in name order. A released file never changes. The number is the level of the schema. */
import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export const MIGRATIONS = join(import.meta.dirname, 'migrations')

export interface MigrationStep {
  readonly name: string
  readonly text: string
  /** SHA-256, hexadecimal. */
  readonly digest: string
  readonly level: number
  /** The lowest level of a program that works on the schema after this step. */
  readonly compatibleLevel: number
  /** The same for programs that compare versions instead of levels (docs/decisions/0002). */
  readonly compatibleVersion: string
}

/** Up to this level a step declares the oldest compatible version, or nothing. */
export const LAST_LEVEL_BY_VERSION = 17
/** Steps up to this level declare nothing. It is the level of the first version that compares, 1.3.0. */
const LAST_LEVEL_WITHOUT_DECLARATION = 5
const FIRST_VERSION = '1.3'
/** Newer than the version of every program that compares versions. */
const NO_VERSION = '1.3.1'

export const levelOf = (name: string) => Number(/^\d+/.exec(name)?.[0])

/** The level of this program: its newest step. */
export const SCHEMA_LEVEL = Math.max(...readdirSync(MIGRATIONS).flatMap((file) => (file.endsWith('.sql') ? levelOf(file) : [])))

/** Throws if a step does not declare its lowest compatible level. */
export async function readSteps(folder: string): Promise<readonly MigrationStep[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      const name = file.replace(/\.sql$/, '')
      const level = levelOf(name)
      return { name, text, digest: hash('sha256', text), level, ...compatibilityOf(name, level, text) }
    }),
  )
}

function compatibilityOf(name: string, level: number, text: string): Pick<MigrationStep, 'compatibleLevel' | 'compatibleVersion'> {
  if (level <= LAST_LEVEL_BY_VERSION) {
    const version = /^-- compatible-with: (\S+)\n/.exec(text)?.[1] ?? FIRST_VERSION
    // Nodes of the version that the later ones name did not run beside nodes without them.
    return { compatibleVersion: version, compatibleLevel: version === FIRST_VERSION ? LAST_LEVEL_WITHOUT_DECLARATION : level }
  }
  const declared = Number(/^-- compatible-with-level: (\d+)\n/.exec(text)?.[1])
  if (!(declared <= level))
    throw new Error(
      `Migration ${name} must begin with "-- compatible-with-level: N", the lowest level of a program that can run on the schema after it.`,
    )
  return { compatibleLevel: declared, compatibleVersion: declared <= LAST_LEVEL_BY_VERSION ? FIRST_VERSION : NO_VERSION }
}
