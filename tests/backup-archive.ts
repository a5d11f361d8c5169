/** Reads and writes the parts of a backup's archive with other tools than the program's: a reader that accepts anything. */
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'

export interface ArchivePart {
  readonly name: string
  readonly bytes: Buffer
}

export async function readArchive(file: string): Promise<ArchivePart[]> {
  const archive = extract()
  archive.end(zstdDecompressSync(readFileSync(file)))
  const parts: ArchivePart[] = []
  for await (const entry of archive) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    parts.push({ name: entry.header.name, bytes: Buffer.concat(chunks) })
  }
  return parts
}

export async function writeArchive(file: string, parts: readonly ArchivePart[]): Promise<void> {
  const tar = pack()
  for (const { name, bytes } of parts) tar.entry({ name }, bytes)
  tar.finalize()
  writeFileSync(file, zstdCompressSync(await buffer(tar)))
}

/** The parts with the checksums that they have now. */
export function withSums(parts: readonly ArchivePart[]): ArchivePart[] {
  const content = parts.filter(({ name }) => name !== 'SHA256SUMS')
  const sums = content.map(({ name, bytes }) => `${hash('sha256', bytes)}  ${name}\n`).join('')
  return [...content, { name: 'SHA256SUMS', bytes: Buffer.from(sums) }]
}

/** The parts with one of them changed. Checksums stay as they are. */
export function withEdited(parts: readonly ArchivePart[], name: string, change: (text: string) => string): ArchivePart[] {
  return parts.map((part) => (part.name === name ? { name, bytes: Buffer.from(change(part.bytes.toString('latin1')), 'latin1') } : part))
}
