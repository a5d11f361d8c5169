import { joinDatabase } from '#backend/platform/database/open.ts'
import { readEnv } from '#backend/platform/env.ts'
import { setAdministrator } from '#backend/features/users/administration.ts'
import { createLog } from '#backend/platform/log.ts'

/** `admin grant|revoke DISCORD_ID`. The person must have signed in once. */
export async function admin([verb, discordId]: readonly string[]): Promise<void> {
  if ((verb !== 'grant' && verb !== 'revoke') || discordId === undefined)
    throw new Error('Usage: npm run muster -- admin grant|revoke DISCORD_ID')
  const env = readEnv()
  const database = await joinDatabase(env, createLog(env.LOG_LEVEL))
  try {
    const username = await setAdministrator(database.db, discordId, verb === 'grant')
    process.stdout.write(verb === 'grant' ? `${username} is an administrator now.\n` : `${username} is no administrator any more.\n`)
  } finally {
    await database.close()
  }
}
