/** The launcher's skin of a server: what its owner chose, with the pictures inside, for as long as he holds the benefit. */
import type { Skin } from '#contract/masterlist.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { showsLauncher } from '#backend/features/benefits/applies-to.ts'
import { imageUrl } from '#backend/features/images/image-urls.ts'
import type { Storage } from '#backend/features/images/storage.ts'
import { etagOf } from '#backend/masterlist/lists/snapshot.ts'
import { shownAddress } from '#backend/masterlist/registry/listed-row.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { benefitKeysOf } from '#backend/features/users/users.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { packSkin } from './skin-packing.ts'
import { type PictureFile, SkinPictures, base64Length } from './skin-pictures.ts'
import { type SkinRow, findSkin } from './skin.queries.ts'

/** A skin that can be read: its tag and its size are known before any picture is touched. */
export interface ReadableSkin {
  readonly etag: string
  /** Of the whole body, not compressed. */
  readonly bytes: number
  /** Seconds since it was read, where the database is gone and it could not be read anew; else undefined. */
  readonly age: number | undefined
  /**
   * Undefined where there is no room for its pictures beside those that are sent just now. Throws where the storage can't be asked.
   * @param encoding what the reader would like: it is compressed where there is room for that, too, and no other one is being compressed.
   */
  body(encoding: Encoding): Promise<SkinBody | undefined>
}

export interface SkinBody {
  /** JSON, in pieces: the pictures in it are shared with all who send them. */
  readonly parts: readonly Buffer[]
  readonly bytes: number
  readonly encoding: Encoding
  /** False where a picture that should be in it was not to be found: it may be there the next time. */
  readonly isWhole: boolean
  /** Another one than the skin's where it is not whole. */
  readonly etag: string
  /** To be called once, when it is not sent any more. */
  readonly release: () => void
}

interface Known {
  readonly row: SkinRow | undefined
  /** See ReadableSkin. */
  readonly age?: number
}

/** The last ones that were read, of a kilobyte or two each, for when the database is gone. */
const MOST_KNOWN = 500

type Described = Omit<Skin, 'imageSplash64' | 'imageLogo64' | 'imageBackground64'>

export class Skins {
  readonly #deps: Pick<Deps, 'db' | 'env' | 'clock'>
  readonly #registry: Registry
  readonly #pictures: SkinPictures
  readonly #asking = new Map<string, Promise<Known>>()
  /** Last read is last in the map's order. */
  readonly #known = new Map<string, { readonly row: SkinRow; readonly at: number }>()

  constructor(deps: Pick<Deps, 'db' | 'env' | 'clock'>, registry: Registry, storage: Pick<Storage, 'open'>) {
    this.#deps = deps
    this.#registry = registry
    this.#pictures = new SkinPictures(storage)
  }

  /** The skin of a server as it is now; undefined where it has none. */
  async of(server: ServerRecord): Promise<ReadableSkin | undefined> {
    // What the list says of it costs nothing, and most servers have none.
    if (server.isBanned || !server.fields.looks.hasSkin) return undefined
    const { row, age } = await this.#ask(server.publicId)
    const described = row === undefined ? undefined : this.#describe(row)
    if (row === undefined || described === undefined) return undefined
    // A file never changes under its name, so its address stands for its bytes.
    const json = JSON.stringify(described)
    const files = picturesOf(row)
    const sizes = files.map((file) => base64Length(file?.bytes ?? 0))
    const bytes = [...frame(json).map(({ length }) => length), ...sizes].reduce((sum, length) => sum + length, 0)
    const etag = etagOf(json)
    const plain = () => this.#compose(json, files)
    const body = async (encoding: Encoding) => (await this.#packed(encoding, etag, bytes, plain)) ?? (await plain())
    return { etag, bytes, age, body }
  }

  /** However many ask for one skin in the same moment, the database is asked by one of them. */
  #ask(publicId: string): Promise<Known> {
    const asking = this.#asking.get(publicId)
    if (asking !== undefined) return asking
    const asked = this.#read(publicId).finally(() => this.#asking.delete(publicId))
    this.#asking.set(publicId, asked)
    return asked
  }

  /** Where the database is gone, as it was read last. */
  async #read(publicId: string): Promise<Known> {
    const { clock, db } = this.#deps
    try {
      const row = await findSkin(db, publicId)
      this.#known.delete(publicId)
      if (row === undefined) return { row }
      if (this.#known.size >= MOST_KNOWN) this.#known.delete(this.#known.keys().next().value ?? '')
      this.#known.set(publicId, { row, at: clock.uptime() })
      return { row }
    } catch (error) {
      const known = this.#known.get(publicId)
      if (known === undefined || failureKind(error) === undefined) throw error
      return { row: known.row, age: Math.floor((clock.uptime() - known.at) / 1000) }
    }
  }

  #describe(row: SkinRow): Described | undefined {
    const { env } = this.#deps
    const held = benefitKeysOf(row, row.grants)
    const uiUrl = held.has('CUSTOM_UI_URL') ? row.ui_url : null
    if (!showsLauncher(row.launcher, held)) return undefined
    return {
      id: row.public_id,
      name: row.name ?? row.server_name,
      rss: row.rss_url ?? '',
      uiUrl: uiUrl ?? '',
      primaryColor: row.primary_color?.slice(1).toUpperCase() ?? '',
      servers: this.#listed(row.servers),
      splashUrl: imageUrl(env, row.splash) ?? '',
      logoUrl: imageUrl(env, row.logo) ?? '',
      backgroundUrl: imageUrl(env, row.background) ?? '',
    }
  }

  /** Those that players see on the list now, by name. */
  #listed(publicIds: readonly string[]): Skin['servers'] {
    return publicIds
      .flatMap((id) => this.#registry.get(id) ?? [])
      .filter((server) => server.isListed)
      .map((server) => ({ id: server.publicId, name: server.fields.name, url: shownAddress(server) }))
      .toSorted((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1))
  }

  async #packed(
    encoding: Encoding,
    etag: string,
    bytes: number,
    plain: () => Promise<SkinBody | undefined>,
  ): Promise<SkinBody | undefined> {
    if (encoding === 'identity') return undefined
    const held = await this.#pictures.holdMade(`${encoding} ${etag}`, bytes, async () => {
      const body = await plain()
      if (body === undefined) return undefined
      try {
        return body.isWhole ? await packSkin(body.parts, bytes, encoding) : undefined
      } finally {
        body.release()
      }
    })
    return held && { parts: [held.made], bytes: held.made.length, encoding, isWhole: true, etag, release: held.release }
  }

  async #compose(described: string, files: readonly (PictureFile | undefined)[]): Promise<SkinBody | undefined> {
    const held = await this.#pictures.hold(files)
    if (held === undefined) return undefined
    const { base64, release } = held
    const parts = frame(described).flatMap((text, index) => (index === 0 ? [text] : [base64[index - 1] ?? NOTHING, text]))
    const bytes = parts.reduce((sum, { length }) => sum + length, 0)
    const isWhole = base64.every((one) => one !== undefined)
    const etag = etagOf(isWhole ? described : `${described} ${base64.map((one) => (one === undefined ? '-' : '+')).join('')}`)
    return { parts, bytes, encoding: 'identity', isWhole, etag, release }
  }
}

const NOTHING = Buffer.alloc(0)

/** In the order in which `frame` leaves room for them. */
function picturesOf(row: SkinRow): (PictureFile | undefined)[] {
  return [
    { file: row.splash, bytes: row.splash_bytes },
    { file: row.logo, bytes: row.logo_bytes },
    { file: row.background, bytes: row.background_bytes },
  ].map(({ file, bytes }) => (file === null || bytes === null ? undefined : { file, bytes }))
}

/** The skin's JSON around its three pictures: what stands before the first, between them, and after the last. */
function frame(described: string): readonly Buffer[] {
  const pieces = [`${described.slice(0, -1)},"imageSplash64":"`, '","imageLogo64":"', '","imageBackground64":"', '"}']
  return pieces.map((piece) => Buffer.from(piece))
}
