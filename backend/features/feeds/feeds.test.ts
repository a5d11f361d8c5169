/** Previews of news feeds over HTTP, with a simulated internet. */
import { expect, test } from 'vitest'
import { preview } from '#contract/feeds.ts'
import type { FetchPublic } from '#backend/platform/http/guarded-client.ts'
import { answering, rss, startWith, url } from '#tests/feeds.ts'

/** One app for all tests; each test sets its document. */
let document: FetchPublic = answering('')
const shared = startWith((...args) => document(...args))

async function previewOf(text: string | Buffer, charset?: string) {
  document = answering(text, charset)
  const { owner } = await shared
  return owner.call(preview, { body: { url } })
}

async function htmlOf(html: string): Promise<string> {
  const result = await previewOf(rss(`<item><title>x</title><description><![CDATA[${html}]]></description></item>`))
  expect(result.status, result.text).toBe(200)
  return result.data.items[0]?.html ?? 'no item'
}

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

const OPEN = '<rss version="2.0"><channel>'
const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')

test.each([
  ['entities of entities', `<!DOCTYPE x [<!ENTITY l0 "lol">${entities}]>${rss('<item><title>&l9;</title></item>', '&l9;')}`],
  [
    'one long entity many times',
    `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(20_000)}">]>${rss(`<item><title>${'&a;'.repeat(10_000)}</title></item>`)}`,
  ],
  ['an entity from a file', `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${rss('<item><title>&f;</title></item>', '&f;')}`],
  ['depth', OPEN + '<a>'.repeat(20_000)],
  ['items in items', OPEN + '<item>'.repeat(10_000)],
  ['depth of HTML', rss(`<item><description><![CDATA[${'<b>'.repeat(20_000)}]]></description></item>`)],
  ['items', OPEN + '<item><title>x</title></item>'.repeat(2000) + '</channel></rss>'],
  ['attributes', `<rss version="2.0" ${Array.from({ length: 5000 }, (_, n) => `a${n}="1"`).join(' ')}><channel/></rss>`],
  ['brackets', OPEN + '<'.repeat(60_000)],
  ['ampersands', rss(`<item><title>${'&'.repeat(60_000)}</title></item>`)],
  ['comments', OPEN + '<!--'.repeat(15_000)],
  ['brackets in HTML', rss(`<item><description><![CDATA[${'<a href="'.repeat(6000)}]]></description></item>`)],
  ['brackets in JSON', `{"version":"https://jsonfeed.org/version/1.1","items":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
])('handles hostile input within two seconds: %s', async (_what, text) => {
  const startedAt = performance.now()
  const result = await previewOf(text)
  expect([200, 400]).toContain(result.status)
  expect(performance.now() - startedAt).toBeLessThan(2000)
  expect(result.text.length).toBeLessThan(100_000)
  expect(result.text).not.toContain('lollol')
  expect(result.text).not.toContain('root:')
})

test.each<[string, string]>([
  ['<p>a<br>b</p><h3>c</h3><ul><li>d</li></ul>', '<p>a<br />b</p><h3>c</h3><ul><li>d</li></ul>'],
  ['<script>alert(1)</script>a', 'a'],
  ['<SCRIPT SRC=//evil.example/x.js></SCRIPT>a', 'a'],
  ['<scr<script>ipt>alert(1)</scr</script>ipt>', 'ipt&gt;alert(1)ipt&gt;'],
  ['<img src=x onerror=alert(1)>a', 'a'],
  ['<svg onload=alert(1)><p>x</p></svg>a', 'a'],
  ['<svg><style><img src=x onerror=alert(1)></style></svg>a', 'a'],
  ['<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)></mglyph></math>a', 'a'],
  ['<p onclick=alert(1) style="position:fixed" class=x id=y>a</p>', '<p>a</p>'],
  ['<style>p{position:fixed}</style>a', 'a'],
  ['<a href="https://x.example/?a=1&b=2" target=_blank onclick=x>a</a>', '<a href="https://x.example/?a=1&amp;b=2">a</a>'],
  ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
  ['<a href="JaVaScRiPt:alert(1)">a</a>', '<a>a</a>'],
  ['<a href="java&#10;script:alert(1)">a</a>', '<a>a</a>'],
  ['<a href="&#1;javascript:alert(1)">a</a>', '<a>a</a>'],
  ['<a href="data:text/html,<script>alert(1)</script>">a</a>', '<a>a</a>'],
  ['<a href="vbscript:x">a</a>', '<a>a</a>'],
  ['<a href="//evil.example">a</a>', '<a>a</a>'],
  ['<a href="https://bank.example:pw@evil.example/">a</a>', '<a>a</a>'],
  ['<a href="/api/auth/logout">a</a>', '<a>a</a>'],
  ['<a href="mailto:x@y.example">a</a>', '<a>a</a>'],
  ['<iframe src="https://evil.example">x</iframe>a', 'a'],
  ['<form action=/api/x><input name=a><button>Go</button></form>', 'Go'],
  ['<object data=x><embed src=x><base href="https://evil.example/"><meta http-equiv=refresh content=0><link rel=stylesheet href=x>a', 'a'],
  ['<p><b>a</p>b</b><i>', '<p><b>a</b></p>b<i></i>'],
  ['</p></div></div>a', '<p></p>a'],
  ['<!-- <img src=x> -->a<!--><img src=x onerror=alert(1)>-->', 'a'],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
  ['<template><img src=x onerror=alert(1)></template>a', 'a'],
  ['<video><source onerror=alert(1)></video>a', 'a'],
  ['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['<a href="https://x.example/&quot;onmouseover=alert(1)">a</a>', '<a href="https://x.example/&quot;onmouseover=alert(1)">a</a>'],
  ['<custom-element is="x">a</custom-element>', 'a'],
  ['<h1>a</h1><table><tr><td>b</td></tr></table>', '<h3>a</h3>b'],
])('sanitizes %s', async (html, harmless) => {
  expect(await htmlOf(html)).toBe(harmless)
})

test('sanitizes CDATA sections that end early or are nested', async () => {
  const endingEarly = await htmlOf('a]]><img src=x onerror=alert(1)><![CDATA[b')
  expect(endingEarly).not.toContain('<img')
  expect(await htmlOf('a]]]]><![CDATA[><script>alert(1)</script>')).not.toContain('<script')
})

test('cuts titles at 200 and texts at about 5,000 characters, never within a tag', async () => {
  const long = '<p>Word &amp; <b>bold</b> <img src="x"></p>'.repeat(1400)
  const { data } = await previewOf(
    rss(`<item><title>${'x'.repeat(300)}</title><description><![CDATA[${long}]]></description></item>`, 'y'.repeat(300)),
  )
  expect(data.title).toBe(`${'y'.repeat(199)}…`)
  expect(data.items[0]?.title).toBe(`${'x'.repeat(199)}…`)
  const html = data.items[0]?.html ?? ''
  expect(html.length).toBeGreaterThan(4500)
  expect(html.length).toBeLessThan(5100)
  expect(html).toMatch(/…(?:<\/b>)?(?:<\/p>)?$/)
  expect(html.replaceAll(/<\/?[pb]>|&amp;/g, '')).not.toMatch(/[<>&]/)
})

test('titles are one visible line; implausible times are null', async () => {
  const items = [
    '<title>a\u202Eb\u200Bc\n\t d\u0007</title><pubDate>Tomorrow</pubDate>',
    '<title>y</title><pubDate>Fri, 01 Jan 10000 00:00:00 GMT</pubDate>',
  ]
  const { data } = await previewOf(rss(items.map((item) => `<item>${item}</item>`).join('')))
  expect(data.items.map(({ title, published_at }) => [title, published_at])).toEqual([
    ['abc d', null],
    ['y', null],
  ])
})

test('decodes a feed in a legacy charset', async () => {
  const latin = (head: string) =>
    Buffer.from(`${head}<rss version="2.0"><channel><title>Größe</title><item><title>é</title></item></channel></rss>`, 'latin1')
  expect((await previewOf(latin('<?xml version="1.0" encoding="ISO-8859-1"?>'))).data.title).toBe('Größe')
  expect((await previewOf(latin(''), 'iso-8859-1')).data.title).toBe('Größe')
  expect((await previewOf(Buffer.from(`\uFEFF${rss('<item/>', 'Größe')}`, 'utf16le'), 'utf-8')).data.title).toBe('Größe')
  expect((await previewOf(`\uFEFF${rss('', 'Größe')}`, 'no-such-charset')).data.title).toBe('Größe')
})
