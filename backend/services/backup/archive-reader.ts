/** Reads a backup's archive part by part, and checks that it is whole. */
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { type Extract, extract } from 'tar-stream'
import { CHECKSUMS, MANIFEST } from './archive.ts'

export interface Part {
  readonly name: string
  readonly bytes: Buffer
  /** SHA-256, hexadecimal. */
  readonly digest: string
}

type Entry = Extract extends AsyncIterable<infer E> ? E : never

/** Parts are at most 8 MiB, apart from the list of checksums, which takes 100 bytes for each part. */
const MAX_PART_BYTES = 64 * 1024 * 1024
const MAX_CHECKSUM_BYTES = 512 * 1024 * 1024

/** Reads the whole archive. Throws as `readParts` does. */
export async function checkArchive(file: string): Promise<void> {
  for await (const _part of readParts(file));
}

/**
 * Yields the parts in order. After the last one it compares the checksums, so a caller must not rely on a part before the end. Throws a
 * sentence that names the part if the file is damaged, truncated, or not a backup.
 */
export async function* readParts(file: string): AsyncGenerator<Part> {
  const digests = new Map<string, string>()
  const archive = extract()
  const reading = pipeline(createReadStream(file), createZstdDecompress(), archive)
  reading.catch(() => undefined)
  let current = ''
  let sums: string | undefined
  try {
    for await (const entry of archive) {
      current = entry.header.name
      if (sums !== undefined) throw damaged(file, `it continues with ${current} after ${CHECKSUMS}`)
      if (digests.size === 0 && current !== MANIFEST) throw foreign(file, `it begins with ${current}`)
      if (digests.has(current)) throw damaged(file, `${current} is there twice`)
      const bytes = await readEntry(file, entry)
      if (current === CHECKSUMS) sums = bytes.toString()
      else {
        const digest = hash('sha256', bytes)
        digests.set(current, digest)
        yield { name: current, bytes, digest }
      }
    }
    await reading
  } catch (error) {
    throw explain(file, current, error)
  }
  if (current === '') throw foreign(file, 'it is empty')
  if (sums === undefined) throw damaged(file, `it ends after ${current}, without ${CHECKSUMS}`)
  compareSums(file, sums, digests)
}

/** What is wrong with a file. Its message is a sentence for the operator. */
class UnusableArchive extends Error {
  override readonly name = 'UnusableArchive'
}

const damaged = (file: string, what: string, cause?: unknown) => new UnusableArchive(`${file} is damaged: ${what}.`, { cause })
const foreign = (file: string, why: string) => new UnusableArchive(`${file} is not a backup of Muster: ${why}.`)

export const unknownPart = (file: string, { name }: Pick<Part, 'name'>) =>
  damaged(file, `${name} is not a part of a backup, or not in its place`)

async function readEntry(file: string, entry: Entry): Promise<Buffer> {
  const { name, type, size } = entry.header
  const maxBytes = name === CHECKSUMS ? MAX_CHECKSUM_BYTES : MAX_PART_BYTES
  if (type !== 'file' || size > maxBytes) throw damaged(file, `${name} is not a part of a backup`)
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A sentence for an error of the file, of the compression or of the tar format. */
function explain(file: string, part: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnusableArchive) return error
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined) return new UnusableArchive(`${file} can't be read.`, { cause: error })
  if (part === '' && code !== 'Z_BUF_ERROR') return new UnusableArchive(`${file} is not a backup of Muster.`, { cause: error })
  const place = part === '' ? `before ${MANIFEST}` : `in or after ${part}`
  return damaged(file, `it is ${code === 'Z_BUF_ERROR' ? 'truncated' : 'corrupt'} ${place}`, error)
}

function compareSums(file: string, sums: string, digests: ReadonlyMap<string, string>): void {
  const expected = new Map([...sums.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, digest = '', name = '']) => [name, digest]))
  for (const [name, digest] of digests) {
    if (!expected.has(name)) throw damaged(file, `${name} is not in ${CHECKSUMS}`)
    if (expected.get(name) !== digest) throw damaged(file, `${name} differs from its checksum`)
  }
  for (const name of expected.keys()) if (!digests.has(name)) throw damaged(file, `${name} is missing`)
}
