/** The codes that show a server on other sites. The panel and the public page offer them. */
import type { BADGE_STYLES } from '#contract/public-site/public-page.ts'
import { brand } from '#web/lib/brand.ts'

export interface BadgeOptions {
  readonly style: (typeof BADGE_STYLES)[number]
  /** The text on the left. */
  readonly label: string
}

/** What the list draws without parameters. */
export const DEFAULT_BADGE: BadgeOptions = { style: 'flat', label: 'players' }

interface SharedServer {
  readonly publicId: string
  /** Of its public page. */
  readonly path: string
  readonly name: string
}

export type ShareCodes = ReturnType<typeof shareCodes>

/** @param site addresses without a slash at the end */
export function shareCodes(
  site: { readonly origin: string; readonly listUrl: string },
  { publicId, path, name }: SharedServer,
  badge: BadgeOptions = DEFAULT_BADGE,
) {
  const link = site.origin + path
  const badgeUrl = `${site.listUrl}/servers/${publicId}/badge.svg${badgeQuery(badge)}`
  const embedPath = `/s/${publicId}/embed`
  const text = `${name} · ${brand.name}`
  return {
    link,
    badgeUrl,
    qrPath: `${path}/qr.svg`,
    embedPath,
    markdown: `[![${text.replaceAll(/[[\]\\`*_<>!]/g, String.raw`\$&`)}](${badgeUrl})](${link})`,
    html: `<a href="${link}"><img src="${escapeAttribute(badgeUrl)}" alt="${escapeAttribute(text)}"></a>`,
    bbcode: `[url=${link}][img]${badgeUrl}[/img][/url]`,
    embed: `<iframe src="${site.origin}${embedPath}" title="${escapeAttribute(text)}" width="320" height="120" loading="lazy" style="border:0;border-radius:10px"></iframe>`,
  }
}

/** Empty for the default badge. */
function badgeQuery({ style, label }: BadgeOptions): string {
  const query = new URLSearchParams()
  if (style !== DEFAULT_BADGE.style) query.set('style', style)
  if (label.trim() !== '' && label.trim() !== DEFAULT_BADGE.label) query.set('label', label.trim())
  return query.size === 0 ? '' : `?${query}`
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
