/** The pages as schema.org data (JSON-LD), for search engines. */
import { type BrowseView, type PublicServerView, type PublicSite, ROWS_PER_PAGE } from '#contract/public-site/public-site.ts'

const CONTEXT = 'https://schema.org'

export function listData({ rows, query }: BrowseView, site: PublicSite, url: string): object {
  return {
    '@context': CONTEXT,
    '@type': 'CollectionPage',
    url,
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: rows.length,
      itemListElement: rows.map((row, index) => ({
        '@type': 'ListItem',
        position: (query.page - 1) * ROWS_PER_PAGE + index + 1,
        name: row.name,
        url: site.origin + row.path,
      })),
    },
  }
}

export function serverData(view: PublicServerView, site: PublicSite): object {
  return {
    '@context': CONTEXT,
    '@type': 'GameServer',
    name: view.name,
    url: site.origin + view.path,
    ...(view.description !== '' && { description: view.description }),
    ...(view.iconUrl !== null && { image: view.iconUrl }),
    playersOnline: view.players,
    serverStatus: statusOf(view),
  }
}

function statusOf({ isOnline, players, maxPlayers }: PublicServerView): string {
  if (!isOnline) return `${CONTEXT}/OfflineTemporarily`
  return players >= maxPlayers ? `${CONTEXT}/OnlineFull` : `${CONTEXT}/Online`
}
