/** Paging parameters and metadata of admin lists. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { documentedAs } from './documented.ts'

/** Lists count rows exactly up to here. Beyond, more pages exist than `pages` says. */
export const MAX_COUNTED = 10_000
export const PER_PAGE = { default: 50, max: 100 } as const

const wholeNumber = (label: string, max: number) => {
  const error = m.mustBeInRange(label, 1, max.toLocaleString('en'))
  const text = z
    .string({ error })
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, { error })
    .optional()
  return documentedAs(text, { type: 'integer', minimum: 1, maximum: max })
}

const RowId = (label: string) => z.string({ error: m.mustBeRowId(label) }).regex(/^[0-9A-Za-z-]{1,40}$/, { error: m.mustBeRowId(label) })

/** The query parameters of every admin list. @param sorts the columns to sort by. */
export function paging<const S extends readonly [string, ...string[]]>(sorts: S) {
  return {
    page: wholeNumber('page', 1_000_000).describe(`From 1. Beyond row ${MAX_COUNTED}, use \`after\`.`),
    per_page: wholeNumber('per_page', PER_PAGE.max).describe(`${PER_PAGE.default} by default.`),
    search: z
      .string({ error: m.mustBeGivenOnce('search') })
      .max(100, { error: m.isTooLong('search', 100) })
      .transform((text) => text.trim())
      .optional(),
    sort: z.enum(sorts, { error: m.mustBeOneOf('sort', sorts) }).optional(),
    order: z.enum(['asc', 'desc'], { error: texts.input_order_invalid }).optional(),
    after: RowId('after')
      .optional()
      .describe('The ID of the last row that you have. The page starts after it, and the reply repeats `page`.'),
    before: RowId('before').optional().describe('The ID of the first row that you have. The page ends before it.'),
  }
}

/** A filter that matches any of several values: `name[0]=a&name[1]=b`, or `name=a`. */
export function anyOf<const V extends readonly [string, ...string[]]>(name: string, values: V) {
  const one = z.enum(values, { error: m.mustBeOneOf(name, values) })
  return z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(one)).optional()
}

/** `true` or `false` in a query. */
export function booleanParam(name: string) {
  const flag = z
    .enum(['true', 'false'], { error: m.mustBeBoolean(name) })
    .transform((text) => text === 'true')
    .optional()
  return documentedAs(flag, { type: 'boolean' })
}

export const userIdParam = (name: string) =>
  z
    .uuid({ error: m.mustBeUserId(name) })
    .toLowerCase()
    .optional()

export const PageMeta = z
  .object({
    page: z.int(),
    per_page: z.int(),
    total: z.int().describe(`Exact up to ${MAX_COUNTED}. Beyond that it is ${MAX_COUNTED}, and \`capped\` is true.`),
    pages: z.int(),
    capped: z.boolean().describe('True if there are more rows than `total`.'),
  })
  .meta({ id: 'PageMeta' })
export type PageMeta = z.output<typeof PageMeta>

export function paged<R extends z.ZodType>(row: R) {
  return z.object({ data: z.array(row), meta: PageMeta })
}
