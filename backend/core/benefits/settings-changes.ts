/** Changes benefit settings, for the owner and for administrators. */
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { type BenefitKey, type SettingsKey } from '#contract/benefits/benefits.ts'
import type { SETTINGS_BODIES } from '#contract/benefits/benefit-settings.ts'
import type { Purpose } from '#contract/servers/images.ts'
import type { z } from 'zod'
import { m as texts } from '#api-messages'
import type { Db } from '#backend/platform/database/open.ts'
import { lockOwnServers } from '#backend/platform/database/lock-order.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { forbidden, invalid } from '#backend/platform/errors.ts'
import { rejectPrivateHost } from '#backend/platform/outbound/guarded-client.ts'
import { rejectStaleVersion } from '#backend/platform/http/if-match.ts'
import { diff, recordEvent } from '#backend/core/events/events.ts'
import { lockOrCopyImage } from '#backend/core/images/images.ts'
import { isPublicId } from '#backend/core/servers/server-access.ts'
import { listServers } from '#backend/core/servers/servers.ts'
import { lockUserForAdmin } from '#backend/core/users/administration.ts'
import { type UserRow, heldBenefits, lockActor } from '#backend/core/users/users.ts'
import { type SettingsValues, type SettingsRow, findSettingsOf, saveSettings } from './benefits.queries.ts'
import { NEVER_SAVED_VERSION, SETTINGS_COLUMNS, assertBenefit } from './benefits.ts'

export type SettingsInput = z.output<(typeof SETTINGS_BODIES)[SettingsKey]>

export interface Actor {
  readonly as: 'self' | 'administrator'
  readonly actorId: string
  readonly ownerId: string
}

/** The image columns: the purpose an image must have been uploaded for, and its label in error messages. */
const IMAGE_COLUMNS: Readonly<Record<SettingsKey, Readonly<Record<string, { readonly purpose: Purpose; readonly label: () => string }>>>> =
  {
    CUSTOM_BANNER: { image_id: { purpose: 'BANNER', label: texts.field_image } },
    CUSTOM_JOIN_BACKGROUND: { image_id: { purpose: 'JOIN_BACKGROUND', label: texts.field_image } },
    CUSTOM_LAUNCHER: {
      background_image_id: { purpose: 'LAUNCHER_BACKGROUND', label: texts.field_background },
      logo_image_id: { purpose: 'LAUNCHER_LOGO', label: texts.field_logo },
      ui_background_image_id: { purpose: 'LAUNCHER_UI_BACKGROUND', label: texts.field_ui_background },
    },
  }

/**
 * Replaces a benefit's settings while the owner is locked. Returns the saved row; undefined if nothing was ever saved.
 * @param ifMatch the version that the change is based on. Throws `VersionConflict` if it is stale.
 */
export function changeSettings(
  db: Db,
  actor: Actor,
  key: SettingsKey,
  input: SettingsInput,
  ifMatch: number | undefined,
): Promise<SettingsRow | undefined> {
  const { as, actorId, ownerId } = actor
  return transaction(db, async (trx) => {
    const held = await heldBenefits(trx, await lockOwner(trx, actor))
    assertBenefit(held, key)
    const row = await findSettingsOf(trx, ownerId, key)
    rejectStaleVersion(ifMatch, row?.version ?? NEVER_SAVED_VERSION, row)
    requireUiUrlBenefit(input, row, held, as)
    rejectPrivateAddresses(input, row)
    const scope = await lockChosenServers(trx, actor, input)
    const values = await resolveValues(trx, actor, key, input, row)
    const next = { ...values, server_ids: scope.chosen, all_servers: scope.forAll }
    const changed = diff(savedValues(key, row), next)
    if (changed === undefined) return row
    await saveSettings(trx, { userId: ownerId, key, content: values, ...scope })
    const before = { benefit: key, ...changed.before }
    const after = { benefit: key, ...changed.after }
    // Settings that were never saved applied to no server.
    const isForAll = scope.forAll || row?.for_all === true
    const servers = isForAll
      ? (await listServers(trx, ownerId)).map((server) => server.public_id)
      : [...new Set([...(row?.chosen ?? []), ...scope.chosen])]
    await recordEvent(trx, { action: 'BENEFIT_SETTINGS_CHANGED', as, actorId, ownerId, before, after, servers })
    return findSettingsOf(trx, ownerId, key)
  })
}

function lockOwner(trx: Db, { as, actorId, ownerId }: Actor): Promise<UserRow> {
  return as === 'administrator' ? lockUserForAdmin(trx, actorId, ownerId) : lockActor(trx, ownerId, 'update')
}

/** `ui_url` needs its own benefit, but a saved one stays after the benefit ends and may be sent unchanged. */
function requireUiUrlBenefit(input: SettingsInput, row: SettingsRow | undefined, held: ReadonlySet<BenefitKey>, as: Actor['as']): void {
  if (!('ui_url' in input) || input.ui_url === null || input.ui_url === row?.ui_url || held.has('CUSTOM_UI_URL')) return
  throw forbidden(as === 'self' ? 'BENEFIT_NOT_HELD' : 'BENEFIT_NOT_HELD_BY_USER', { benefit: BENEFITS.CUSTOM_UI_URL.name() }).inField(
    'ui_url',
  )
}

/** Launchers of players open these addresses. A saved one may be sent unchanged. */
function rejectPrivateAddresses(input: SettingsInput, row: SettingsRow | undefined): void {
  if (!('rss_url' in input)) return
  for (const field of ['rss_url', 'ui_url'] as const) if (input[field] !== row?.[field]) rejectPrivateHost(field, input[field])
}

/** Which servers the settings apply to, locked until the transaction ends. Throws `invalid` if one belongs to another user. */
async function lockChosenServers(
  trx: Db,
  { as, ownerId }: Actor,
  { server_ids: ids, all_servers: requested }: SettingsInput,
): Promise<{ forAll: boolean; chosen: readonly string[] }> {
  if (ids.length === 0) return { forAll: requested ?? true, chosen: [] }
  if (requested === true) throw invalid('SETTINGS_SERVERS_UNCLEAR').inField('server_ids')
  const own = new Set(await lockOwnServers(trx, ownerId, ids.filter(isPublicId)))
  const missing = ids.find((id) => !own.has(id))
  if (missing !== undefined)
    throw invalid(as === 'self' ? 'SETTINGS_SERVER_NOT_FOUND' : 'SETTINGS_SERVER_NOT_FOUND_FOR_USER', { id: missing.slice(0, 40) }).inField(
      'server_ids',
    )
  return { forAll: false, chosen: [...own].toSorted() }
}

/** The values to save. New images are assigned to the owner; a saved image stays. */
async function resolveValues(
  trx: Db,
  actor: Actor,
  key: SettingsKey,
  input: SettingsInput,
  row: SettingsRow | undefined,
): Promise<SettingsValues> {
  const values: Record<string, string | null> = {}
  const requested: SettingsValues = pickValues(key, input)
  for (const [column, value] of Object.entries(requested)) {
    const image = IMAGE_COLUMNS[key][column]
    const isNew = image !== undefined && value !== null && value !== pickValues(key, row)[column]
    values[column] = isNew
      ? await lockOrCopyImage(trx, { imageId: value, ...actor, purpose: image.purpose, field: column, label: image.label() })
      : value
  }
  return values
}

/** The key's columns of a body or row. */
function pickValues(key: SettingsKey, from: Readonly<Record<string, unknown>> | undefined): SettingsValues {
  return Object.fromEntries(SETTINGS_COLUMNS[key].map((column) => [column, (from?.[column] ?? null) as string | null]))
}

/** The saved values, named as in the API. */
function savedValues(key: SettingsKey, row: SettingsRow | undefined): Readonly<Record<string, unknown>> {
  return { ...pickValues(key, row), server_ids: row?.chosen.toSorted() ?? [], all_servers: row?.for_all ?? true }
}
