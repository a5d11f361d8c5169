/** The variables of the operator's own name, logo and colour. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { DEFAULT_BRAND } from '#contract/public-site/brand.ts'
import { isFileOrAddress } from '#backend/platform/env-values.ts'
import { betterAccent } from './accent.ts'
import { type Logo, readLogoFile } from './logo.ts'

/** A URL is loaded while the program runs, so its mistakes are in the log. */
export type BrandLogo = Logo | { readonly url: string }

const name = z
  .string()
  .max(40, 'must have at most 40 characters')
  .regex(/^\P{C}+$/u, 'must not have line breaks or other invisible characters')

const logo = z.string().transform((text, context): BrandLogo => {
  try {
    if (!isFileOrAddress(text)) throw new Error('must be a path, or a URL that begins with http:// or https:// and contains no username')
    return /^https?:/.test(text) ? { url: text } : readLogoFile(resolve(text))
  } catch (error) {
    context.addIssue((error as Error).message)
    return z.NEVER
  }
})

const colour = z
  .string()
  .regex(/^#[\da-f]{6}$/i, { error: 'must be a colour such as #2f6fed', abort: true })
  .transform((text) => text.toLowerCase())
  .superRefine((text, context) => {
    const better = betterAccent(text)
    if (better !== undefined)
      context.addIssue(
        `is hard to read on dark and on light pages: its contrast is below 4.5:1. The nearest colour that reaches it is ${better}`,
      )
  })

export const BRANDING_VARIABLES = {
  BRAND_NAME: name.default(DEFAULT_BRAND.name).describe('The name that the panel and the public pages show.'),
  BRAND_LOGO: logo.optional().describe('Your logo: file or URL of a square PNG or SVG, at most 256 KiB.'),
  BRAND_ACCENT: colour.optional().describe('Your colour for buttons and links, such as `"#1f5fd6"`, with the quotes.'),
}
