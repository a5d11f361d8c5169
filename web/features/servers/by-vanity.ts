/** A server by the vanity id that players know it by, as `/servers/@name` in the panel. */
import type { ServerList } from '#contract/servers.ts'
import type { ShownServer } from './access.ts'

/** The own server with this vanity id, or the one managed for somebody else; undefined where the text names none. */
export function findByVanity({ owned, management }: ServerList, text: string): ShownServer | undefined {
  if (!text.startsWith('@')) return undefined
  const wanted = text.slice(1).toLowerCase()
  return [...owned, ...management].find(({ vanity_url }) => vanity_url === wanted)
}
