/** The operator's brand, and the panel's page with it. */
import { hash } from 'node:crypto'
import { type Brand, BRAND_ATTRIBUTE, DEFAULT_BRAND } from '#contract/public-site/brand.ts'
import type { Env } from '#backend/platform/env.ts'
import { escapeHtml } from '#backend/platform/http/escape-html.ts'

export const LOGO_PATH = '/brand/logo'
export const STYLES_PATH = '/brand/accent.css'
export const MANIFEST_PATH = '/brand/manifest.webmanifest'

export type Branding = Pick<Env, 'BRAND_NAME' | 'BRAND_LOGO' | 'BRAND_ACCENT'>

export function brandOf({ BRAND_NAME: name, BRAND_LOGO: logo, BRAND_ACCENT: accent }: Branding): Brand {
  const isNamed = name !== DEFAULT_BRAND.name || logo !== undefined
  return {
    name,
    logoUrl: logo && LOGO_PATH,
    iconUrl: logo === undefined ? DEFAULT_BRAND.iconUrl : LOGO_PATH,
    manifestUrl: isNamed ? MANIFEST_PATH : DEFAULT_BRAND.manifestUrl,
    // Browsers keep the file. Another colour is another address.
    stylesUrl: accent && `${STYLES_PATH}?v=${accent.slice(1)}`,
  }
}

/** The panel's page and its ETag. @param html as it was built, with the product's own brand */
export function brandedPage(html: string, branding: Branding): { html: string; etag: string } {
  const brand = brandOf(branding)
  const isDefault = JSON.stringify(brand) === JSON.stringify(DEFAULT_BRAND)
  const branded = isDefault ? html : withBrand(html, brand)
  return { html: branded, etag: `W/"${hash('sha256', branded, 'base64url').slice(0, 22)}"` }
}

function withBrand(html: string, brand: Brand): string {
  const { name, logoUrl, iconUrl, manifestUrl, stylesUrl } = brand
  const head = [
    logoUrl !== undefined && `<link rel="apple-touch-icon" href="${logoUrl}" />`,
    stylesUrl !== undefined && `<link rel="stylesheet" href="${stylesUrl}" />`,
  ].filter((link) => link !== false)
  const replacements: readonly (readonly [from: string, to: string])[] = [
    ['<html ', `<html ${BRAND_ATTRIBUTE}="${escapeHtml(JSON.stringify(brand))}" `],
    [`<title>${DEFAULT_BRAND.name}</title>`, `<title>${escapeHtml(name)}</title>`],
    [`href="${DEFAULT_BRAND.iconUrl}"`, `href="${iconUrl}"`],
    [`href="${DEFAULT_BRAND.manifestUrl}"`, `href="${manifestUrl}"`],
    ['</head>', `${head.join('')}</head>`],
  ]
  return replacements.reduce((page, [from, to]) => {
    if (!page.includes(from)) throw new Error(`The panel's page has no ${from}`)
    return page.replace(from, () => to)
  }, html)
}
