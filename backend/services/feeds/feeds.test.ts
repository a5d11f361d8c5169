/** Previews of news feeds over HTTP, with a simulated internet. */
import { beforeAll, expect, test } from 'vitest'
import { preview } from '#contract/public-site/feeds.ts'
import { invalid } from '#backend/platform/errors.ts'
import { ban, setTier } from '#tests/factories.ts'
import { FEED_URL, type Previews, answering, rss, startPreviews, startWith } from '#tests/feed-previews.ts'

let previews: Previews
beforeAll(async () => {
  previews = await startPreviews()
})

const previewOf = (text: string | Buffer, charset?: string) => previews.of(text, charset)

test('rejects users with neither CUSTOM_LAUNCHER nor ADMIN without fetching anything', async () => {
  let fetched = 0
  const { app, owner } = await startWith((...args) => {
    fetched += 1
    return answering(rss(''))(...args)
  })
  const otherUser = await app.newUser()
  const rejected = await otherUser.call(preview, { body: { url: FEED_URL } })
  expect(rejected.status).toBe(403)
  expect(rejected.error.errors).toEqual(['This needs the benefit Custom Launcher, which you do not have.'])
  expect((await app.anonymous.call(preview, { body: { url: FEED_URL } })).status).toBe(403)
  await setTier(app, owner.id, 'RUBY')
  expect((await owner.call(preview, { body: { url: FEED_URL } })).status).toBe(403)
  expect(fetched).toBe(0)
  const administrator = await app.signIn('admin')
  expect((await administrator.call(preview, { body: { url: FEED_URL } })).status).toBe(200)
  await app.db.insertInto('benefit_grants').values({ user_id: otherUser.id, key: 'CUSTOM_LAUNCHER' }).execute()
  expect((await otherUser.call(preview, { body: { url: FEED_URL } })).status).toBe(200)
  expect(fetched).toBe(2)
  await ban(app, otherUser.id)
  expect((await otherUser.call(preview, { body: { url: FEED_URL } })).status).toBe(403)
})

test.each(['http://feeds.example/', 'ftp://feeds.example/', '', 'https://user@feeds.example/', 'https://localhost/', 'nonsense'])(
  'the address "%s" is rejected before anything is fetched',
  async (invalidUrl) => {
    const rejected = await previews.ofAddress(invalidUrl)
    expect(rejected.status).toBe(400)
    expect(rejected.error.errors).toHaveLength(1)
  },
)

test('limits each user to ten at once, then one every six seconds; failures count', async () => {
  const { app, owner } = await startWith(() => Promise.reject(invalid('ADDRESS_UNREACHABLE')), { RATE_LIMITS: 'on' })
  const again = () => owner.call(preview, { body: { url: FEED_URL } })
  for (let count = 0; count < 10; count += 1) expect((await again()).status).toBe(400)
  const rejected = await again()
  expect(rejected.status).toBe(429)
  expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(6)
  app.clock.advance(6000)
  expect((await again()).status).toBe(400)
  expect((await again()).status).toBe(429)
  const other = await app.signIn('admin')
  expect((await other.call(preview, { body: { url: FEED_URL } })).status).toBe(400)
})

test('RSS: the ten newest items, newest first, without a time last', async () => {
  const day = (n: number) => `<item><title>Day ${n}</title><pubDate>${new Date(Date.UTC(2026, 0, n)).toUTCString()}</pubDate></item>`
  const days = Array.from({ length: 12 }, (_, index) => day(index + 1))
  const result = await previewOf(rss(`<item><title>No day</title></item>${days.join('')}`, 'A &amp; B'))
  expect(result.status, result.text).toBe(200)
  expect(result.data.title).toBe('A & B')
  expect(result.data.items.map(({ title }) => title)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `Day ${n}`))
  expect(result.data.items[0]?.published_at).toBe('2026-01-12T00:00:00.000Z')
  const few = await previewOf(rss(`<item><title>No day</title></item>${days[0]}<item><title>Nor this</title></item>`))
  expect(few.data.items.map(({ title }) => title)).toEqual(['Day 1', 'No day', 'Nor this'])
})

test('RSS: the full content takes precedence over the description; the guid may be the link', async () => {
  const items = `<item><title><![CDATA[Tom & <b>Jerry</b> <i>]]></title><link> https://x.example/a?b=1&amp;c=2 </link>
    <description>short</description><content:encoded><![CDATA[<p>whole</p>]]></content:encoded></item>
    <item><title>2</title><guid>https://x.example/guid</guid><description>&lt;p&gt;a &amp;amp; b&lt;/p&gt;</description></item>
    <item><title>3</title><guid isPermaLink="false">https://x.example/guid</guid></item>`
  const { data } = await previewOf(rss(items))
  expect(data.items).toEqual([
    { title: 'Tom & Jerry', link: 'https://x.example/a?b=1&c=2', published_at: null, html: '<p>whole</p>' },
    { title: '2', link: 'https://x.example/guid', published_at: null, html: '<p>a &amp; b</p>' },
    { title: '3', link: null, published_at: null, html: '' },
  ])
})

test('Atom: texts are markup only if declared', async () => {
  const { data } = await previewOf(`<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &amp;amp; &lt;b&gt;B&lt;/b&gt;</title>
    <entry><title>a &lt;b&gt;</title><link rel="self" href="https://x.example/self"/><link href="https://x.example/page"/>
    <published>2026-01-02T03:04:05+01:00</published><updated>2026-05-05T00:00:00Z</updated>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>hey <b>you</b></p></div></content></entry>
    <entry><title type="html">&lt;i&gt;x&lt;/i&gt;</title><updated>2026-01-01T00:00:00Z</updated><summary>1 &lt; 2
&lt;script&gt;alert(1)&lt;/script&gt;</summary></entry></feed>`)
  expect(data).toEqual({
    title: 'A & B',
    items: [
      { title: 'a <b>', link: 'https://x.example/page', published_at: '2026-01-02T02:04:05.000Z', html: '<p>hey <b>you</b></p>' },
      {
        title: 'x',
        link: null,
        published_at: '2026-01-01T00:00:00.000Z',
        html: '1 &lt; 2<br />&lt;script&gt;alert(1)&lt;/script&gt;',
      },
    ],
  })
})

test('RDF: title, link, date and text', async () => {
  const { data } = await previewOf(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>Old</title></channel>
    <item rdf:about="y"><title>One</title><link>https://x.example/1</link><description>text</description><dc:date>2026-01-01</dc:date></item></rdf:RDF>`)
  const [item] = data.items
  expect(item).toEqual({ title: 'One', link: 'https://x.example/1', published_at: '2026-01-01T00:00:00.000Z', html: 'text' })
})

test('JSON Feed, even if its text looks like another format', async () => {
  const items = [
    {
      id: '1',
      title: 'A <b> & c',
      url: 'https://x.example/1',
      content_html: '<p>x</p> <rss version="2.0"> <item> ',
      date_published: 'never',
    },
    { id: '2', external_url: 'https://x.example/2', content_text: '<b>\nplain' },
    { id: '3', url: 'javascript:alert(1)', external_url: 'data:text/html,x' },
  ]
  const { data } = await previewOf(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'J', items }))
  expect(data.items).toEqual([
    { title: 'A <b> & c', link: 'https://x.example/1', published_at: null, html: '<p>x</p>' },
    { title: '', link: 'https://x.example/2', published_at: null, html: '&lt;b&gt;<br />plain' },
    { title: '', link: null, published_at: null, html: '' },
  ])
})

test.each([
  ['', ''],
  ['a page', '<!doctype html><html><head><title>x</title></head><body></body></html>'],
  ['XML of another kind', '<?xml version="1.0"?><note><to>x</to></note>'],
  ['JSON of another kind', '{"items":[]}'],
  ['a list', '[]'],
  ['null', 'null'],
  ['truncated JSON', '{"version":"https://jsonfeed.org/version/1.1"'],
  ['truncated XML', '<rss version="2.0"><channel><title>x'],
  ['noise', Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256))],
])('rejects a body that is not a feed (%s)', async (_what, text) => {
  const rejected = await previewOf(text)
  expect(rejected.status).toBe(400)
  expect(rejected.error.errors).toEqual(['This address does not return a news feed.'])
})

test('decodes a feed in a legacy charset', async () => {
  const latin = (head: string) =>
    Buffer.from(`${head}<rss version="2.0"><channel><title>Größe</title><item><title>é</title></item></channel></rss>`, 'latin1')
  expect((await previewOf(latin('<?xml version="1.0" encoding="ISO-8859-1"?>'))).data.title).toBe('Größe')
  expect((await previewOf(latin(''), 'iso-8859-1')).data.title).toBe('Größe')
  expect((await previewOf(Buffer.from(`\uFEFF${rss('<item/>', 'Größe')}`, 'utf16le'), 'utf-8')).data.title).toBe('Größe')
  expect((await previewOf(`\uFEFF${rss('', 'Größe')}`, 'no-such-charset')).data.title).toBe('Größe')
})
