/** The launcher's skin of a server: what its owner chose, with the pictures inside, for as long as he holds the benefit. */
import { buffer } from 'node:stream/consumers'
import type { Skin } from '#contract/masterlist.ts'
import type { Deps } from '#backend/deps.ts'
import { imageUrl } from '#backend/features/images/image-urls.ts'
import type { Storage } from '#backend/features/images/storage.ts'
import { benefitKeysOf } from '#backend/features/users/users.ts'
import { shownAddress } from './listed-row.ts'
import { etagOf } from './publisher.ts'
import type { Registry } from './registry.ts'
import type { ServerRecord } from './server-record.ts'
import { SkinBodies, type SkinBody } from './skin-bodies.ts'
import { type SkinRow, findSkin } from './skin.queries.ts'

/** Where the pictures lie. */
type Pictures = Pick<Storage, 'open'>

/** A skin that can be read: its tag is known before any picture is touched. */
export interface ReadableSkin {
  readonly etag: string
  /** Throws where the storage can't be asked. */
  body(): Promise<SkinBody>
}

type Described = Omit<Skin, 'imageSplash64' | 'imageLogo64' | 'imageBackground64'>

export class Skins {
  readonly #deps: Pick<Deps, 'db' | 'env'>
  readonly #registry: Registry
  readonly #pictures: Pictures
  readonly #bodies = new SkinBodies()
  readonly #asking = new Map<string, Promise<SkinRow | undefined>>()

  constructor(deps: Pick<Deps, 'db' | 'env'>, registry: Registry, pictures: Pictures) {
    this.#deps = deps
    this.#registry = registry
    this.#pictures = pictures
  }

  /** The skin of a server as it is now; undefined where it has none. */
  async of(server: ServerRecord): Promise<ReadableSkin | undefined> {
    // What the list says of it costs nothing, and most servers have none.
    if (server.isBanned || !server.fields.hasSkin) return undefined
    const row = await this.#ask(server.publicId)
    const described = row === undefined ? undefined : this.#describe(row)
    if (row === undefined || described === undefined) return undefined
    // A file never changes under its name, so its address stands for its bytes.
    const etag = etagOf(JSON.stringify(described))
    return { etag, body: () => this.#bodies.get(etag, () => this.#compose(row, described)) }
  }

  /** However many ask for one skin in the same moment, the database is asked by one of them. */
  #ask(publicId: string): Promise<SkinRow | undefined> {
    const known = this.#asking.get(publicId)
    if (known !== undefined) return known
    const asked = findSkin(this.#deps.db, publicId).finally(() => this.#asking.delete(publicId))
    this.#asking.set(publicId, asked)
    return asked
  }

  #describe(row: SkinRow): Described | undefined {
    const { env } = this.#deps
    const held = benefitKeysOf(row, row.grants)
    const uiUrl = held.has('CUSTOM_UI_URL') ? row.ui_url : null
    const chosen = [row.name, row.primary_color, row.rss_url, uiUrl, row.splash, row.logo, row.background]
    if (!held.has('CUSTOM_LAUNCHER') || chosen.every((one) => one === null)) return undefined
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

  async #compose({ splash, logo, background }: SkinRow, described: Described): Promise<SkinBody> {
    const pictures = await Promise.all([splash, logo, background].map((file) => this.#base64(file)))
    const [imageSplash64 = '', imageLogo64 = '', imageBackground64 = ''] = pictures
    const skin: Skin = { ...described, imageSplash64, imageLogo64, imageBackground64 }
    return { json: Buffer.from(JSON.stringify(skin)), isWhole: pictures.every((picture) => picture !== undefined) }
  }

  /** Empty where there is to be none; undefined where the storage has lost it. */
  async #base64(file: string | null): Promise<string | undefined> {
    if (file === null) return ''
    const stored = await this.#pictures.open(file)
    return stored === undefined ? undefined : (await buffer(stored.body)).toString('base64')
  }
}
