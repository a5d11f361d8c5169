/** The name and logo of this installation. */
import { type Brand, BRAND_ATTRIBUTE, DEFAULT_BRAND } from '#contract/public-site/brand.ts'

export let brand: Brand = globalThis.document === undefined ? DEFAULT_BRAND : brandOfPage()

function brandOfPage(): Brand {
  const json = document.documentElement.getAttribute(BRAND_ATTRIBUTE)
  return json === null ? DEFAULT_BRAND : (JSON.parse(json) as Brand)
}

/** Outside of a browser, before a page is rendered. */
export function setBrand(next: Brand): void {
  brand = next
}
