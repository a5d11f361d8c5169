/** What a search engine finds: it follows links without `nofollow` that robots.txt allows. `--full` has 10,000 servers. */
import { expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList } from '#tests/list/send.ts'
import { linksOf, readPage } from '#tests/public-pages.ts'

const IS_FULL = process.env.MUSTER_FULL !== undefined
const SERVERS = IS_FULL ? 10_000 : 60
const AT_ONCE = 20

async function forEachAtOnce<T>(items: Iterable<T>, run: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]()
  const work = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await run(next.value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** The longest matching rule decides, and Allow wins a tie (RFC 9309). Its patterns have no wildcards here. */
function allowedBy(robots: string): (path: string) => boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, kind, prefix = '']) => ({
    isAllowed: kind === 'Allow',
    prefix,
  }))
  const longestFirst = rules.toSorted((a, b) => b.prefix.length - a.prefix.length || Number(b.isAllowed) - Number(a.isAllowed))
  return (path) => longestFirst.find(({ prefix }) => path.startsWith(prefix))?.isAllowed ?? true
}

test(
  'every listed server is found through links and in the sitemap, and no two pages have the same title',
  { timeout: 900_000 },
  async () => {
    const app = await startApp({ ANNOUNCE_TTL_SECONDS: '3600' }, { hasPages: true, pool: 10 })
    const owner = await fleetOwner(app)
    await app.db.updateTable('users').set({ max_servers: SERVERS }).where('id', '=', owner.id).execute()
    const paths = new Set<string>()
    await forEachAtOnce(Array.from({ length: SERVERS }).keys(), async (index) => {
      const vanity = index % 10 === 0 ? { vanity_url: `crawled-${index}` } : {}
      const { public_id, credential } = await buildServer(owner, { tags: ['crawled'], ...vanity })
      await announceFrom(app, credential, { playersCount: index % 50 })
      paths.add(`/s/${index % 10 === 0 ? `crawled-${index}` : public_id}`)
    })
    await expect.poll(async () => (await readList(app)).length, { timeout: 60_000 }).toBe(SERVERS)

    const isAllowed = allowedBy((await readPage(app.anonymous, '/robots.txt')).html)
    expect(['/browse', '/browse?page=2', '/browse?q=x', '/api/about'].map(isAllowed)).toEqual([true, true, false, false])
    const titles = new Map<string, string>()
    // The panel is the same page at all its paths.
    const panel = ['/', '/login']
    const found = new Set(['/browse', ...panel])
    let current = ['/', '/browse']
    while (current.length > 0) {
      const next: string[] = []
      await forEachAtOnce(current, async (path) => {
        const page = await readPage(app.anonymous, path)
        expect([path, page.status]).toEqual([path, 200])
        expect([path, page.isIndexed, titles.get(page.title)]).toEqual([path, true, undefined])
        titles.set(page.title, path)
        if (page.canonical !== undefined) expect(page.canonical).toBe(app.panelUrl + path)
        for (const { href, rel } of linksOf(page)) {
          const { origin, pathname, search } = new URL(href, app.panelUrl + path)
          const target = pathname + search
          if (origin !== app.panelUrl || rel.includes('nofollow') || !isAllowed(target) || found.has(target)) continue
          found.add(target)
          next.push(target)
        }
      })
      current = next
    }
    expect([...found].filter((path) => path.startsWith('/s/')).toSorted()).toEqual([...paths].toSorted())
    const sitemap = (await readPage(app.anonymous, '/sitemap.xml')).html
    const locations = Array.from(sitemap.matchAll(/<loc>(.*?)<\/loc>/g), ([, url = '']) => url.replace(app.panelUrl, ''))
    expect(locations.toSorted()).toEqual(['/browse', ...paths].toSorted())
  },
)
