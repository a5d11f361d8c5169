/** Sanitizes a feed's text: a few HTML elements, or one plain line. */
import sanitizeHtml from 'sanitize-html'

/** Code units. `MAX_RAW` far exceeds the shown length, so that removed markup does not crowd out the text after it. */
const MAX_RAW = 20_000
const MAX_HTML = 5000
const MAX_LINE = 200

const EMBEDDED = ['iframe', 'noembed', 'noframes', 'svg', 'math']
const SAFE_HTML: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'blockquote', 'code', 'pre', 'h3', 'h4', 'a'],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['http', 'https'],
  // The panel's own scheme would complete such a URL.
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, { href }) => ({ tagName, attribs: isWebAddress(href) ? { href } : {} }),
    // The page itself uses the higher levels.
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
  },
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'xmp', ...EMBEDDED],
  nestingLimit: 12,
  enforceHtmlBoundary: false,
}

/** Keeps text, a few elements and link targets: about 5,000 characters at most. */
export function safeHtml(raw: string): string {
  // Sanitizing again after the cut closes open elements.
  return sanitizeHtml(cutHtml(sanitizeHtml(cutHtml(raw, MAX_RAW), SAFE_HTML), MAX_HTML), SAFE_HTML).trim()
}

export function htmlOfText(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return safeHtml(escaped.replaceAll(/\r\n?|\n/g, '<br>'))
}

export function lineOfHtml(raw: string): string {
  const text = sanitizeHtml(cutHtml(raw, MAX_RAW), { ...SAFE_HTML, allowedTags: [], allowedAttributes: {} })
  return lineOf(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

/** One line of plain text without invisible characters, at most 200 characters. */
export function lineOf(text: string): string {
  const line = text
    .slice(0, MAX_RAW)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Cs}]/gu, '')
    .trim()
  const characters = Array.from(line)
  return characters.length <= MAX_LINE ? line : `${characters.slice(0, MAX_LINE - 1).join('')}…`
}

/** An absolute http or https URL without a username, which could disguise the host. */
export function isWebAddress(text: string | undefined): text is string {
  if (text === undefined || text.length > 2000 || !/^https?:\/\//i.test(text)) return false
  const url = URL.parse(text)
  return url?.username === '' && url.password === ''
}

/** Never cuts within a tag, an entity or a surrogate pair. */
function cutHtml(html: string, max: number): string {
  if (html.length <= max) return html
  const cut = html.slice(0, max)
  const tag = cut.lastIndexOf('<')
  const withoutPartialTag = tag > cut.lastIndexOf('>') ? cut.slice(0, tag) : cut
  return `${withoutPartialTag.replace(/&[#\w]{0,10}$/, '').replace(/[\uD800-\uDBFF]$/, '')}…`
}
