/** What the announces of the last days would have left: states and bound addresses. The list starts with them. */
import type { Db } from '#backend/platform/database/open.ts'
import { bindCredentials, presenceBatch, upsertPresence } from '#backend/masterlist/persistence/masterlist.writes.ts'
import { NEVER_ANNOUNCED } from '#backend/masterlist/registry/server-record.ts'
import { digestOfBinding } from '#backend/services/webhooks/live-state.ts'
import { Random, expectedPlayers } from '#backend/cli/simulate/profiles.ts'
import { ALICE, DAY_MS, type Demo, type DemoServer } from './cast.ts'

/** Where the announces of this machine come from. */
export const HERE = '127.0.0.1'
/** Where the server that Alice moved ran before. */
export const FORMER_ADDRESS = '203.0.113.20'

export async function storeLiveStates({ db, now, servers }: Demo): Promise<void> {
  const announced = servers.filter(({ offlineSince }) => offlineSince !== 0)
  const credentials = new Map((await credentialsOf(db)).map(({ server_id, id }) => [server_id, id]))
  const addressOf = (server: DemoServer) => (server === servers[ALICE.moved] ? FORMER_ADDRESS : HERE)
  const states = announced.map((server) => stateOf(server, addressOf(server), credentials.get(server.publicId) ?? null, now))
  await upsertPresence(db, presenceBatch(states))
  const bindings = announced.map((server) => ({
    credentialId: credentials.get(server.publicId) ?? '',
    address: addressOf(server),
    server: { publicId: server.publicId, ownerId: server.owner.id, name: server.profile.input.name },
  }))
  await bindCredentials(db, bindings, new Date(now))
  // The owners know that their servers were listed. The program notifies them of those that are offline.
  const known = states.map(({ server_id, owner_id, credential_id, address }) => ({
    webhook_id: null,
    server_id,
    user_id: owner_id,
    is_offline: false,
    is_listed: true,
    is_above: false,
    is_shared: false,
    binding: digestOfBinding(credential_id ?? '', address),
  }))
  await db.insertInto('server_watch_states').values(known).execute()
}

function credentialsOf(db: Db) {
  return db.selectFrom('credentials').select(['id', 'server_id']).where('revoked_at', 'is', null).execute()
}

function stateOf(
  { owner, profile, publicId, seed, createdAt, offlineSince }: DemoServer,
  address: string,
  credential: string | null,
  now: number,
) {
  const onlineSince = Math.max(createdAt, now - new Random(seed).between(0.02, 9) * DAY_MS)
  const { port, slots, passworded, version, branch, input } = profile
  return {
    server_id: publicId,
    owner_id: owner.id,
    online: offlineSince === undefined,
    since: offlineSince ?? onlineSince,
    ended_by: offlineSince === undefined ? ('' as const) : ('EXPIRED' as const),
    last_announce_at: offlineSince ?? now,
    address,
    other_address: null,
    endpoint_since: onlineSince,
    credential_id: credential,
    changed_at: offlineSince ?? onlineSince,
    announce: {
      ...NEVER_ANNOUNCED,
      port,
      playersCount: Math.min(slots, Math.round(expectedPlayers(profile, offlineSince ?? now))),
      maxPlayersCount: slots,
      passworded,
      version,
      branch,
      gameMode: input.game_mode ?? '',
      useVoiceChat: profile.useVoiceChat,
    },
  }
}
