/** Registers the fleet under a demo owner, by the same rules as the panel. Only this process knows the credentials. */
import pLimit from 'p-limit'
import { transaction } from '#backend/platform/database/transaction.ts'
import { AppError } from '#backend/platform/errors.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { snowflakeOf } from '#backend/core/auth/local-provider.ts'
import { asOwner } from '#backend/core/servers/server-access.ts'
import { reissueCredential } from '#backend/core/servers/server-changes.ts'
import { createServer, listServers } from '#backend/core/servers/servers.ts'
import { updateUser, upsertSignedInUser } from '#backend/core/users/users.ts'
import type { Profile } from './profiles.ts'

export const FLEET_OWNER = 'demo_fleet'
const OWNER = { discordId: snowflakeOf(FLEET_OWNER), username: FLEET_OWNER, avatar: null }
const CONCURRENCY = 8

export interface RegisteredServer {
  readonly publicId: string
  readonly credential: string
  readonly profile: Profile
}

type RegisterDeps = Pick<Deps, 'env' | 'db'>

/** Registers missing servers and reissues the credentials of existing ones. */
export async function registerFleet(
  deps: RegisterDeps,
  profiles: readonly Profile[],
  progress: (done: number) => void,
): Promise<RegisteredServer[]> {
  const { db, env } = deps
  const { id: ownerId } = await transaction(db, (trx) => upsertSignedInUser(trx, env, OWNER))
  const existing = new Map((await listServers(db, ownerId)).map((row) => [row.name, row.public_id]))
  await updateUser(db, ownerId, { max_servers: Math.max(1000, existing.size + profiles.length) })
  let done = 0
  return pLimit(CONCURRENCY).map(profiles, async (profile) => {
    const publicId = existing.get(profile.input.name)
    const { row, credential } =
      publicId === undefined ? await register(deps, ownerId, profile) : await reissueCredential(db, asOwner(ownerId, publicId), undefined)
    progress((done += 1))
    return { publicId: row.public_id, credential: credential.reveal(), profile }
  })
}

/** Appends a number if the name, or a look-alike, is taken. */
async function register(deps: RegisterDeps, ownerId: string, { input }: Profile) {
  for (let number = 2; ; number += 1) {
    try {
      return await createServer(deps.db, ownerId, number === 2 ? input : { ...input, name: `${input.name} (${number})` })
    } catch (error) {
      if (!(error instanceof AppError) || error.business !== 'NAME_ALREADY_EXISTS' || number > 20) throw error
    }
  }
}
