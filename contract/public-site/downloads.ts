/** Downloads for players and owners: products and builds from the operator's manifest. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { Time } from '#contract/text/time.ts'

export const Build = z
  .object({
    branch: z.string(),
    platform: z.string(),
    version: z.string(),
    date: Time,
    size: z.int().describe('Bytes.'),
    sha256: z.string(),
    url: z.string(),
    notes: z.string().describe('What is new, in plain text. May be empty.'),
  })
  .meta({ id: 'Build' })
export type Build = z.output<typeof Build>

export const Product = z
  .object({ id: z.string(), name: z.string(), description: z.string(), builds: z.array(Build) })
  .meta({ id: 'Product' })
export type Product = z.output<typeof Product>

export const Downloads = z
  .object({
    products: z.array(Product),
    configured: z.boolean().describe('False if no manifest is configured.'),
    read_at: Time.nullable().describe('When this manifest was read. Older if the newest one cannot be read.'),
    problem: z.string().nullable().describe('Why the newest manifest cannot be used. For administrators only.'),
  })
  .meta({ id: 'Downloads' })
export type Downloads = z.output<typeof Downloads>

export const downloads = endpoint('GET /api/downloads', {
  summary: 'List downloads',
  description: 'Products and their builds by branch and platform, newest first.',
  access: 'member',
  reply: Downloads,
})
