/** The scenes in which people sign up, become supporters, and create and change their servers. */
import { type BenefitKey, type SettingsKey, benefitsOfTier } from '#contract/benefits/benefits.ts'
import type { Purpose } from '#contract/servers/images.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { snowflakeOf } from '#backend/core/auth/local-provider.ts'
import { type SettingsInput, changeSettings } from '#backend/core/benefits/settings-changes.ts'
import { createGroup } from '#backend/core/groups/groups.ts'
import { createStorage } from '#backend/core/images/storage.ts'
import { asAdministrator, asOwner } from '#backend/core/servers/server-access.ts'
import { changeServer } from '#backend/core/servers/server-changes.ts'
import { createServer } from '#backend/core/servers/servers.ts'
import { setOwnedTier } from '#backend/core/users/administration.ts'
import { upsertSignedInUser } from '#backend/core/users/users.ts'
import { ALICE, DAY_MS, type Demo, type DemoServer, type Person } from './cast.ts'
import { storePicture } from './pictures.ts'
import type { Scene } from './story.ts'

const HOUR_MS = 3_600_000

export function scenesOfAccounts(demo: Demo): Scene[] {
  const groups = new Map<Person, string>()
  return [
    ...[demo.admin, ...demo.people].flatMap((person, index) => scenesOfPerson(demo, person, index, groups)),
    ...demo.servers.flatMap((server, index) => scenesOfServer(demo, server, index, groups)),
  ]
}

const has = ({ tier }: Person, key: BenefitKey) => benefitsOfTier(tier).includes(key)

function scenesOfPerson({ db, env, servers }: Demo, person: Person, index: number, groups: Map<Person, string>): Scene[] {
  const { username, tier, joinedAt } = person
  const first = servers.find(({ owner }) => owner === person)
  const picture = (purpose: Purpose) => storePicture(db, createStorage(env), person.id, purpose, index)
  const save = (key: SettingsKey, input: SettingsInput) =>
    changeSettings(db, { as: 'self', actorId: person.id, ownerId: person.id }, key, input, undefined)
  const join = async () => {
    person.id = (
      await transaction(db, (trx) => upsertSignedInUser(trx, env, { discordId: snowflakeOf(username), username, avatar: null }))
    ).id
  }
  const support = () => transaction(db, (trx) => setOwnedTier(trx, { id: person.id, owned_tier: null }, tier))
  const group = async () => {
    const { name } = first?.profile.input ?? {}
    groups.set(person, (await createGroup(db, person.id, { name: `${name?.split(' ').slice(0, 2).join(' ')} network` })).id)
  }
  const banner = async () => save('CUSTOM_BANNER', { image_id: await picture('BANNER'), server_ids: [], all_servers: true })
  const theme = async () => {
    const pictures = { background_image_id: await picture('LAUNCHER_BACKGROUND'), logo_image_id: await picture('LAUNCHER_LOGO') }
    const rest = { ui_background_image_id: null, rss_url: null, ui_url: null, server_ids: [], all_servers: true }
    await save('CUSTOM_LAUNCHER', { name: 'Harbour Nights', primary_color: '#7c5cff', ...pictures, ...rest })
  }
  const steps = [
    join,
    tier !== null && support,
    has(person, 'MASTERLIST_GROUPS') && group,
    has(person, 'CUSTOM_BANNER') && banner,
    has(person, 'CUSTOM_LAUNCHER') && theme,
  ].filter((step) => step !== false)
  return steps.map((act, step) => ({ at: joinedAt + step * HOUR_MS, act }))
}

function scenesOfServer({ db, env, admin, now, servers }: Demo, server: DemoServer, index: number, groups: Map<Person, string>): Scene[] {
  const { owner, profile, createdAt, seed } = server
  const storage = createStorage(env)
  const isFirst = servers.find((other) => other.owner === owner) === server
  const slug = profile.input.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const create = async () => {
    const hasIcon = has(owner, 'MASTERLIST_TOKEN_CARD_ICONS') && index % 8 !== 5
    const { row, credential } = await createServer(db, owner.id, {
      ...profile.input,
      ...(hasIcon && { icon_image_id: await storePicture(db, storage, owner.id, 'SERVER_ICON', seed) }),
      ...(index % 3 > 0 && groups.has(owner) && { group_id: groups.get(owner) }),
      ...(isFirst && has(owner, 'CUSTOM_VANITY_URL') && /^[a-z0-9-]{4,32}$/.test(slug) && { vanity_url: slug }),
      ...(isFirst && has(owner, 'PROMOTED') && { promoted: true }),
    })
    server.publicId = row.public_id
    server.credential = credential.reveal()
  }
  const later = (share: number) => createdAt + (now - createdAt) * share
  const change = (changes: Parameters<typeof changeServer>[2]) => () =>
    changeServer(db, asOwner(owner.id, server.publicId), changes, undefined)
  const scenes: Scene[] = [{ at: createdAt, act: create }]
  if (index % 3 === 0) scenes.push({ at: later(0.4), act: change({ tags: [...(profile.input.tags ?? []).slice(0, 3), 'events'] }) })
  if (index % 5 === 0) scenes.push({ at: later(0.7), act: change({ description: `${profile.input.description}\nNew season now open.` }) })
  if (index === ALICE.hidden) scenes.push({ at: now - DAY_MS, act: change({ visible: false }) })
  if (isFirst && index % 2 === 0)
    scenes.push({ at: later(0.2), act: () => changeServer(db, asAdministrator(admin.id, server.publicId), { verified: true }, undefined) })
  return scenes
}
