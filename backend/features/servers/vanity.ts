/** Vanity ids that were given up rest, so that nobody is found under what players remember as somebody else. */
import type { Db } from '#backend/platform/database/open.ts'
import { business } from '#backend/platform/errors.ts'
import { deleteRest, deleteRested, findRest, isPublicIdOf } from './appearance.queries.ts'

/** How long a vanity id rests before somebody else may have it; whoever gave it up may take it back at once. */
const VANITY_REST_DAYS = 30

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** After the id was written to its server's row: throws where it rests, or is a server's public id in another spelling. */
export async function refuseTakenVanity(trx: Db, vanityUrl: string, ownerId: string): Promise<void> {
  // A new server's random id could meet it later only by a chance of one in billions.
  if (await isPublicIdOf(trx, vanityUrl))
    throw business('VANITY_URL_ALREADY_EXISTS', 'This is the public id of a server. Choose a different vanity id.')
  const until = await findRest(trx, vanityUrl, ownerId, VANITY_REST_DAYS)
  if (until !== undefined)
    throw business(
      'VANITY_URL_ALREADY_EXISTS',
      `This vanity id belonged to another server not long ago and rests until ${day.format(until)}. Choose a different one.`,
    )
  await deleteRest(trx, vanityUrl)
}

/** Forgets ids that have rested. */
export async function forgetRested({ db }: { readonly db: Db }): Promise<void> {
  await deleteRested(db, VANITY_REST_DAYS)
}
