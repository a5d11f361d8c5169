import { expect, test } from 'vitest'
import { DEFAULT_BADGE, shareCodes } from './share-codes.ts'

const SITE = { origin: 'https://muster.example', listUrl: 'https://list.example' }
const server = (name: string) => ({ publicId: 'aB3dE5g', path: '/s/harbour', name })

test('links use the vanity ID, and badges and cards the ID that never changes', () => {
  const codes = shareCodes(SITE, server('Harbour'))
  expect(codes.link).toBe('https://muster.example/s/harbour')
  expect(codes.qrPath).toBe('/s/harbour/qr.svg')
  expect(codes.badgeUrl).toBe('https://list.example/servers/aB3dE5g/badge.svg')
  expect(codes.bbcode).toBe('[url=https://muster.example/s/harbour][img]https://list.example/servers/aB3dE5g/badge.svg[/img][/url]')
  expect(codes.embed).toContain('src="https://muster.example/s/aB3dE5g/embed"')
})

test('a name cannot leave its place in Markdown or HTML', () => {
  const codes = shareCodes(SITE, server('"><script>](https://evil.example) `'))
  expect(codes.markdown).toContain(String.raw`[![">\<script\>`.replace('">', String.raw`"\>`))
  expect(codes.markdown).toContain(String.raw`\](https://evil.example)`)
  for (const code of [codes.html, codes.embed]) {
    expect(code).not.toContain('<script>')
    expect(code).toContain('&quot;&gt;&lt;script&gt;')
  }
})

test('only a style or label that is not the default is in the address of the badge, and it needs no escape in any code', () => {
  const badgeOf = (more: Partial<typeof DEFAULT_BADGE>) => shareCodes(SITE, server('Harbour'), { ...DEFAULT_BADGE, ...more })
  expect(badgeOf({ label: '  ' }).badgeUrl).toBe(badgeOf({}).badgeUrl)
  const { badgeUrl, html, markdown, bbcode } = badgeOf({ style: 'for-the-badge', label: ' [on]&(line) "' })
  expect(badgeUrl).toMatch(/badge\.svg\?style=for-the-badge&label=[\w%+]+$/)
  expect(new URL(badgeUrl).searchParams.get('label')).toBe('[on]&(line) "')
  expect(html).toContain('style=for-the-badge&amp;label=')
  for (const code of [markdown, bbcode]) expect(code).toContain(badgeUrl)
})
