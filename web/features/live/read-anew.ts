/** Reading again what may have changed, in the order in which one thing decides whether another may be read. */
import type { Query, QueryClient } from '@tanstack/react-query'
import { appearanceOptions } from '#web/features/servers/servers.api.ts'

/** What only a manager with the permission for it may read: first it is read again whether he has it. */
const [BENEFITS, APPEARANCE] = appearanceOptions('').queryKey
const takesPermission = ({ queryKey: [noun, part] }: Query) => noun === BENEFITS && part === APPEARANCE

/**
 * All queries whose keys begin with one of the nouns. Resolves once they are read.
 * @param refetchType with `active` what is shown is read at once; with `none`, and for what is not shown, when it is shown again.
 * @param alsoFailed with false, what failed before is not asked again.
 */
export async function readAnew(
  client: QueryClient,
  nouns: readonly unknown[],
  refetchType: 'active' | 'none' = 'active',
  alsoFailed = true,
): Promise<void> {
  const isMeant = ({ queryKey: [noun], state }: Query) => nouns.includes(noun) && (alsoFailed || state.status !== 'error')
  await client.invalidateQueries({ predicate: (query) => isMeant(query) && !takesPermission(query), refetchType })
  await client.invalidateQueries({ predicate: (query) => isMeant(query) && takesPermission(query), refetchType })
}
