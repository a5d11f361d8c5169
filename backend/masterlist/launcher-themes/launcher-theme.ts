/** A server's launcher theme, pictures included, while its owner holds the benefit. */
import { LRUCache } from 'lru-cache'
import type { Skin } from '#contract/masterlist.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { hasCustomLauncher } from '#backend/features/benefits/settings-scope.ts'
import { imageUrl } from '#backend/features/images/image-urls.ts'
import type { ImageStorage } from '#backend/features/images/storage.ts'
import { etagOf } from '#backend/masterlist/lists/snapshot.ts'
import { listedAddress } from '#backend/masterlist/registry/listed-row.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { benefitKeysOf } from '#backend/features/users/users.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { EMPTY, type ImageFile, ThemeImageCache, base64Length, compressTheme } from './theme-image-cache.ts'
import { type ThemeRow, findTheme } from './launcher-theme.queries.ts'

/** Its tag and size are known before any picture is read. */
interface ReadableSkin {
  readonly etag: string
  /** Of the whole identity body. */
  readonly bytes: number
  /** Seconds since it was read, while the database is unavailable. */
  readonly age: number | undefined
  /** Undefined without room for its pictures; identity where there is none for the encoding. Throws where the storage fails. */
  body(encoding: Encoding): Promise<ThemeBody | undefined>
}

export interface ThemeBody {
  /** JSON in pieces; the pictures in it are shared. */
  readonly parts: readonly Buffer[]
  readonly bytes: number
  readonly encoding: Encoding
  /** False where the storage has lost a picture. */
  readonly isWhole: boolean
  /** Differs from the skin's where it is not whole. */
  readonly etag: string
  /** Call once, when it is sent. */
  readonly release: () => void
}

type Known = { readonly row: ThemeRow | undefined; readonly age?: number }

/** Rows of a kilobyte or two, for when the database is unavailable. */
const MAX_KNOWN = 500

type Described = Omit<Skin, 'imageSplash64' | 'imageLogo64' | 'imageBackground64'>

export class LauncherThemes {
  readonly #deps: Pick<Deps, 'db' | 'env' | 'clock'>
  readonly #registry: Registry
  readonly #pictures: ThemeImageCache
  readonly #asking = new Map<string, Promise<Known>>()
  readonly #known = new LRUCache<string, { readonly row: ThemeRow; readonly at: number }>({ max: MAX_KNOWN })

  constructor(deps: Pick<Deps, 'db' | 'env' | 'clock'>, registry: Registry, storage: Pick<ImageStorage, 'open'>) {
    this.#deps = deps
    this.#registry = registry
    this.#pictures = new ThemeImageCache(storage)
  }

  async of(server: ServerRecord): Promise<ReadableSkin | undefined> {
    // Most servers have none, and the list knows.
    if (server.isBanned || !server.fields.cosmetics.hasTheme) return undefined
    const { row, age } = await this.#ask(server.publicId)
    const described = row === undefined ? undefined : this.#describe(row)
    if (row === undefined || described === undefined) return undefined
    // Files never change, so their addresses identify their bytes.
    const json = JSON.stringify(described)
    const files = picturesOf(row)
    const bytes = files.reduce((sum, file) => sum + base64Length(file?.bytes ?? 0), lengthOf(frame(json)))
    const etag = etagOf(json)
    const plain = () => this.#compose(json, files)
    const body = async (encoding: Encoding) => (await this.#packed(encoding, etag, bytes, plain)) ?? (await plain())
    return { etag, bytes, age, body }
  }

  /** One query at a time per skin, for all who ask. */
  #ask(publicId: string): Promise<Known> {
    const asking = this.#asking.get(publicId) ?? this.#read(publicId).finally(() => this.#asking.delete(publicId))
    this.#asking.set(publicId, asking)
    return asking
  }

  /** The last known row while the database is unavailable. */
  async #read(publicId: string): Promise<Known> {
    const { clock, db } = this.#deps
    try {
      const row = await findTheme(db, publicId)
      this.#known.set(publicId, row && { row, at: clock.uptime() })
      return { row }
    } catch (error) {
      const known = this.#known.get(publicId)
      if (known === undefined || failureKind(error) === undefined) throw error
      return { row: known.row, age: Math.floor((clock.uptime() - known.at) / 1000) }
    }
  }

  #describe(row: ThemeRow): Described | undefined {
    const { env } = this.#deps
    const held = benefitKeysOf(row, row.grants)
    if (!hasCustomLauncher(row.launcher, held)) return undefined
    const uiUrl = held.has('CUSTOM_UI_URL') ? row.ui_url : null
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

  #listed(publicIds: readonly string[]): Skin['servers'] {
    return publicIds
      .flatMap((id) => this.#registry.get(id) ?? [])
      .filter((server) => server.isListed)
      .map((server) => ({ id: server.publicId, name: server.fields.name, url: listedAddress(server) }))
      .toSorted((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1))
  }

  async #packed(
    encoding: Encoding,
    etag: string,
    max: number,
    plain: () => Promise<ThemeBody | undefined>,
  ): Promise<ThemeBody | undefined> {
    if (encoding === 'identity') return undefined
    const held = await this.#pictures.acquireMade(`${encoding} ${etag}`, max, async () => {
      const body = await plain()
      try {
        return body?.isWhole === true ? await compressTheme(body.parts, body.bytes, encoding) : undefined
      } finally {
        body?.release()
      }
    })
    return held && { parts: [held.value], bytes: held.value.length, encoding, isWhole: true, etag, release: held.release }
  }

  async #compose(described: string, files: readonly (ImageFile | undefined)[]): Promise<ThemeBody | undefined> {
    const held = await this.#pictures.acquire(files)
    if (held === undefined) return undefined
    const { value: base64, release } = held
    const parts = frame(described).flatMap((text, index) => (index === 0 ? [text] : [base64[index - 1] ?? EMPTY, text]))
    const isWhole = base64.every((one) => one !== undefined)
    const etag = etagOf(isWhole ? described : `${described} ${base64.map((one) => (one === undefined ? '-' : '+')).join('')}`)
    return { parts, bytes: lengthOf(parts), encoding: 'identity', isWhole, etag, release }
  }
}

const lengthOf = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0)

/** In the order of `frame`. */
function picturesOf(row: ThemeRow): (ImageFile | undefined)[] {
  return [
    { file: row.splash, bytes: row.splash_bytes },
    { file: row.logo, bytes: row.logo_bytes },
    { file: row.background, bytes: row.background_bytes },
  ].map(({ file, bytes }) => (file === null || bytes === null ? undefined : { file, bytes }))
}

/** The skin's JSON before, between and after its three pictures. */
function frame(described: string): readonly Buffer[] {
  const pieces = [`${described.slice(0, -1)},"imageSplash64":"`, '","imageLogo64":"', '","imageBackground64":"', '"}']
  return pieces.map((piece) => Buffer.from(piece))
}
