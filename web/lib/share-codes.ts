/** The codes that show a server on other sites. The panel and the public page offer them. */

interface SharedServer {
  readonly publicId: string
  /** Of its public page. */
  readonly path: string
  readonly name: string
}

/** @param site addresses without a slash at the end */
export function shareCodes(site: { readonly origin: string; readonly listUrl: string }, { publicId, path, name }: SharedServer) {
  const link = site.origin + path
  const badgeUrl = `${site.listUrl}/servers/${publicId}/badge.svg`
  const text = `${name} · Muster`
  return {
    link,
    badgeUrl,
    qrPath: `${path}/qr.svg`,
    markdown: `[![${text.replaceAll(/[[\]\\`*_<>!]/g, String.raw`\$&`)}](${badgeUrl})](${link})`,
    html: `<a href="${link}"><img src="${badgeUrl}" alt="${escapeAttribute(text)}"></a>`,
    embed: `<iframe src="${site.origin}/s/${publicId}/embed" title="${escapeAttribute(text)}" width="320" height="120" loading="lazy" style="border:0"></iframe>`,
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
