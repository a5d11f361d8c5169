/** `users`: what an operator does for a user. `help.ts` describes it. */
import { RECOVERY_PAGE, createRecoveryLink } from '#backend/core/auth/recovery.ts'
import { withDatabase } from './database.ts'
import { localUrl } from './local-url.ts'

/** Anyone who has the link can sign in as the user, so it is printed once and stored nowhere. */
export async function users([verb, id]: readonly string[]): Promise<void> {
  if (verb !== 'recover' || id === undefined) throw new Error('Usage: npm run muster -- users recover ID')
  await withDatabase(async ({ db }, env) => {
    const { token, username } = await createRecoveryLink(db, id)
    const origin = env.PUBLIC_URL ?? localUrl(env.HOST, env.PORT)
    process.stdout.write(
      `${origin}${RECOVERY_PAGE}#${token}\n\nSigns ${username} in once, within an hour. Send it to no one else. A new link replaces it.\n`,
    )
  })
}
