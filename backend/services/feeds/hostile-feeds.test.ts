/** Feeds that are broken or hostile: what is rejected, removed or cut. */
import { beforeAll, expect, test } from 'vitest'
import { type Previews, rss, startPreviews } from '#tests/feed-previews.ts'

/** Hostile input takes milliseconds. Unlimited work would take minutes. */
const MAX_MS = 20_000

let previews: Previews
beforeAll(async () => {
  previews = await startPreviews()
})

const previewOf = (text: string | Buffer, charset?: string) => previews.of(text, charset)

async function htmlOf(html: string): Promise<string> {
  const result = await previewOf(rss(`<item><title>x</title><description><![CDATA[${html}]]></description></item>`))
  expect(result.status, result.text).toBe(200)
  return result.data.items[0]?.html ?? 'no item'
}

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
])('handles hostile input within seconds: %s', async (_what, text) => {
  const startedAt = performance.now()
  const result = await previewOf(text)
  expect([200, 400]).toContain(result.status)
  expect(performance.now() - startedAt).toBeLessThan(MAX_MS)
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
