/** A server's launcher theme with its images, while its owner has the benefit. */
import { LRUCache } from 'lru-cache'
import type { Skin } from '#contract/masterlist/masterlist.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { hasCustomLauncher } from '#backend/core/benefits/settings-scope.ts'
import { imageUrl } from '#backend/core/images/image-urls.ts'
import type { ImageStorage } from '#backend/core/images/storage.ts'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import { listedEndpoint } from '#backend/masterlist/registry/listed-row.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { benefitKeysOf } from '#backend/core/users/users.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { type ThemeRow, findTheme } from './launcher-theme.queries.ts'
import { type ImageFile, type OpenImage, openImages, themeLength } from './theme-body.ts'

/** Its tag and size are known before any image is read. */
interface LauncherTheme {
  readonly etag: string
  /** Size of the complete identity body. */
  readonly bytes: number
  /** Seconds since it was read from the database, while that is unavailable. */
  readonly age: number | undefined
  /** Opens its images. Throws if the storage is unavailable. */
  open(): Promise<OpenTheme>
}

export interface OpenTheme {
  /** Without images. */
  readonly json: string
  /** Close them after sending. */
  readonly images: readonly OpenImage[]
  /** Size of the identity body. */
  readonly bytes: number
  /** False if the storage has lost an image. */
  readonly isComplete: boolean
  /** Differs from the theme's tag if incomplete. */
  readonly etag: string
}

type CachedTheme = { readonly row: ThemeRow | undefined; readonly age?: number }

/** Rows of one or two kilobytes, for when the database is unavailable. */
const MAX_CACHED = 500

type ThemeDescription = Omit<Skin, 'imageSplash64' | 'imageLogo64' | 'imageBackground64'>

export class LauncherThemes {
  readonly #deps: Pick<Deps, 'db' | 'env' | 'clock'>
  readonly #registry: Registry
  readonly #storage: Pick<ImageStorage, 'open'>
  readonly #pending = new Map<string, Promise<CachedTheme>>()
  readonly #cache = new LRUCache<string, { readonly row: ThemeRow; readonly at: number }>({ max: MAX_CACHED })

  constructor(deps: Pick<Deps, 'db' | 'env' | 'clock'>, registry: Registry, storage: Pick<ImageStorage, 'open'>) {
    this.#deps = deps
    this.#registry = registry
    this.#storage = storage
  }

  async themeOf(server: ServerRecord): Promise<LauncherTheme | undefined> {
    // Most servers have no theme, which the list knows without a query.
    if (server.isBanned || !server.fields.cosmetics.hasTheme) return undefined
    const { row, age } = await this.#find(server.publicId)
    const description = row === undefined ? undefined : this.#describe(row)
    if (row === undefined || description === undefined) return undefined
    // Files never change, so their URLs identify their bytes.
    const json = JSON.stringify(description)
    const files = imagesOf(row)
    return { etag: etagOf(json), bytes: themeLength(json, files), age, open: () => this.#open(json, files) }
  }

  /** One query at a time per theme, shared by concurrent callers. */
  #find(publicId: string): Promise<CachedTheme> {
    const pending = this.#pending.get(publicId) ?? this.#read(publicId).finally(() => this.#pending.delete(publicId))
    this.#pending.set(publicId, pending)
    return pending
  }

  /** Falls back to the last known row while the database is unavailable. */
  async #read(publicId: string): Promise<CachedTheme> {
    const { clock, db } = this.#deps
    try {
      const row = await findTheme(db, publicId)
      this.#cache.set(publicId, row && { row, at: clock.uptime() })
      return { row }
    } catch (error) {
      const cached = this.#cache.get(publicId)
      if (cached === undefined || failureKind(error) === undefined) throw error
      return { row: cached.row, age: Math.floor((clock.uptime() - cached.at) / 1000) }
    }
  }

  #describe(row: ThemeRow): ThemeDescription | undefined {
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
      .map((server) => ({ id: server.publicId, name: server.fields.name, url: listedEndpoint(server).address }))
      .toSorted((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1))
  }

  async #open(json: string, files: readonly (ImageFile | undefined)[]): Promise<OpenTheme> {
    const images = await openImages(this.#storage, files)
    const isComplete = images.every((image, index) => (image === undefined) === (files[index] === undefined))
    const etag = etagOf(isComplete ? json : `${json} ${images.map((image) => (image === undefined ? '-' : '+')).join('')}`)
    return { json, images, bytes: themeLength(json, images), isComplete, etag }
  }
}

/** In the order of the body. */
function imagesOf(row: ThemeRow): (ImageFile | undefined)[] {
  return [
    { file: row.splash, bytes: row.splash_bytes },
    { file: row.logo, bytes: row.logo_bytes },
    { file: row.background, bytes: row.background_bytes },
  ].map(({ file, bytes }) => (file === null || bytes === null ? undefined : { file, bytes }))
}
