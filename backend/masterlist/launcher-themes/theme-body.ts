/** The body of a launcher theme: its JSON with images in base64, streamed from the storage, because a theme can have ten megabytes. */
import { Readable, addAbortSignal, pipeline } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { ImageStorage, StoredFile } from '#backend/core/images/storage.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'

/** Far more than a working storage needs, and than the slowest reader may take. */
const READ_TIMEOUT_MS = 300_000
/** Images hardly compress. This recovers the quarter that base64 adds. */
const BROTLI_QUALITY = 1

export interface ImageFile {
  readonly file: string
  readonly bytes: number
}

/** Undefined for a theme without this image, or if the storage has lost it. */
export type OpenImage = StoredFile | undefined

const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

/** Opens images in order. Each must be read to its end or destroyed. Throws if the storage is unavailable. */
export async function openImages(storage: Pick<ImageStorage, 'open'>, images: readonly (ImageFile | undefined)[]): Promise<OpenImage[]> {
  const opened = await Promise.allSettled(images.map((image) => openImage(storage, image)))
  const failed = opened.find((result) => result.status === 'rejected')
  const found = opened.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
  if (failed === undefined) return found
  closeImages(found)
  throw failed.reason
}

export function closeImages(images: readonly OpenImage[]): void {
  for (const image of images) image?.body.destroy()
}

/** A file whose size differs from the uploaded one counts as lost. */
async function openImage(storage: Pick<ImageStorage, 'open'>, image: ImageFile | undefined): Promise<OpenImage> {
  const stored = image && (await storage.open(image.file))
  if (stored === undefined || stored.bytes === image?.bytes) return stored
  stored.body.destroy()
  return undefined
}

/** The length of the identity body. */
export function themeLength(json: string, images: readonly ({ readonly bytes: number } | undefined)[]): number {
  const frameLength = frame(json).reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  return images.reduce((sum, image) => sum + base64Length(image?.bytes ?? 0), frameLength)
}

export function themeBody(json: string, images: readonly OpenImage[], encoding: Encoding): AsyncIterable<Buffer> {
  const body = piecesOf(json, images)
  if (encoding === 'identity') return body
  const compressor =
    encoding === 'gzip'
      ? createGzip({ strategy: constants.Z_HUFFMAN_ONLY })
      : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
  // The reader of the compressor gets the error.
  return pipeline(Readable.from(body), compressor, () => undefined)
}

async function* piecesOf(json: string, images: readonly OpenImage[]): AsyncGenerator<Buffer> {
  for (const [index, piece] of frame(json).entries()) {
    if (index > 0) yield* base64Of(images[index - 1])
    yield Buffer.from(piece)
  }
}

async function* base64Of(image: OpenImage): AsyncGenerator<Buffer> {
  if (image === undefined) return
  const decoder = new StringDecoder('base64')
  const body: AsyncIterable<Buffer> = addAbortSignal(AbortSignal.timeout(READ_TIMEOUT_MS), image.body)
  for await (const part of body) yield Buffer.from(decoder.write(part), 'latin1')
  yield Buffer.from(decoder.end(), 'latin1')
}

/** The JSON before, between and after the three images. */
function frame(json: string): readonly string[] {
  return [`${json.slice(0, -1)},"imageSplash64":"`, '","imageLogo64":"', '","imageBackground64":"', '"}']
}
