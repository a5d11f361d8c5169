/** What the operator has put in the place of the product's name, logo and accent colour. */
export interface Brand {
  readonly name: string
  /** Undefined for the product's own logo, which the pages draw themselves. */
  readonly logoUrl: string | undefined
  readonly iconUrl: string
  readonly manifestUrl: string
  /** The styles of the operator's colour. They must come after those of the page. */
  readonly stylesUrl: string | undefined
}

export const DEFAULT_BRAND: Brand = {
  name: 'Muster',
  logoUrl: undefined,
  iconUrl: '/icon.svg',
  manifestUrl: '/manifest.webmanifest',
  stylesUrl: undefined,
}

/** Of the `html` element, if the brand is not the default one: the brand as JSON, for scripts. */
export const BRAND_ATTRIBUTE = 'data-brand'
