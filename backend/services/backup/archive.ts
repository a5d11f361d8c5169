/**
 * The format of a backup: a tar archive, compressed with Zstandard. Its parts, in this order:
 *
 * - `manifest.json`: what the backup is and which tables it has
 * - `tables/NAME/000000.copy` and so on: the rows, in the text format of COPY
 * - `sequences.json`: the last value of each sequence
 * - `images/FILE`: the images; `missing-images.txt` names those that the storage didn't have
 * - `SHA256SUMS`: the checksum of each part, as `sha256sum --check` reads it
 */
import { z } from 'zod'
import { FILE_NAME } from '#backend/core/images/storage.ts'

export const MANIFEST = 'manifest.json'
export const SEQUENCES = 'sequences.json'
export const MISSING_IMAGES = 'missing-images.txt'
export const CHECKSUMS = 'SHA256SUMS'

const FORMAT = 'muster-backup'
/** Raise it if this program can't restore archives of the former format, or the other way round. */
const FORMAT_VERSION = 1

const TableInBackup = z.object({ name: z.string().min(1), columns: z.array(z.string()) })
export type TableInBackup = z.output<typeof TableInBackup>

/** What every version of the format has. */
const Format = z.object({
  format: z.literal(FORMAT),
  format_version: z.number(),
  /** The program that wrote it, such as `1.3.0+40a4806f`. */
  release: z.string(),
})

const Manifest = Format.extend({
  schema_level: z.number(),
  created_at: z.iso.datetime(),
  /** The applied migrations with their SHA-256. */
  migrations: z.array(z.object({ name: z.string(), digest: z.string() })).min(1),
  /** Without generated columns. */
  tables: z.array(TableInBackup).min(1),
})
export type Manifest = z.output<typeof Manifest>

/** The last values of the sequences; null for one that was never used. */
export const Sequences = z.record(
  z.string(),
  z
    .string()
    .regex(/^-?\d+$/)
    .nullable(),
)

export const newManifest = (content: Omit<Manifest, 'format' | 'format_version'>): Manifest => ({
  format: FORMAT,
  format_version: FORMAT_VERSION,
  ...content,
})

/** Throws a sentence about the file if it is another program's, or of a newer format. */
export function parseManifest(file: string, bytes: Buffer): Manifest {
  const content = parseJson(bytes)
  const { success: isOurs, data: format } = Format.safeParse(content)
  if (isOurs && format.format_version !== FORMAT_VERSION)
    throw new Error(
      `${file} has version ${format.format_version} of the backup format, which release ${format.release} wrote. This program reads version ${FORMAT_VERSION}. Restore it with that release.`,
    )
  const result = Manifest.safeParse(content)
  if (!result.success) throw new Error(`${file} is not a backup of Muster: ${MANIFEST} is invalid.`)
  return result.data
}

export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

export const tablePart = (table: string, index: number) => `tables/${encodeURIComponent(table)}/${String(index).padStart(6, '0')}.copy`
export const imagePart = (file: string) => `images/${file}`

/** The table and the index of a part with rows; undefined for other parts. */
export function tableOf(part: string): { table: string; index: number } | undefined {
  const [, table, index] = /^tables\/([\w.!~*'()%-]+)\/(\d{6})\.copy$/.exec(part) ?? []
  return table === undefined ? undefined : { table: decodeURIComponent(table), index: Number(index) }
}

/** The file of a part with an image; undefined for other parts. */
export function imageOf(part: string): string | undefined {
  const file = /^images\/(.+)$/.exec(part)?.[1]
  return file !== undefined && FILE_NAME.test(file) ? file : undefined
}
