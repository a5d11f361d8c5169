/** Lists of administrators: what is asked for, and what comes with each page (contract section 2). */
import { z } from 'zod'

/** How many rows a list counts exactly; past it more pages exist than it says. */
export const MAX_COUNTED = 10_000
export const PER_PAGE = { default: 50, max: 100 } as const

const wholeNumber = (label: string, max: number) => {
  const error = `${label} must be a whole number from 1 to ${max.toLocaleString('en')}.`
  return z
    .string({ error })
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, error)
}

const RowId = (label: string) =>
  z.string({ error: `${label} must be the id of a row.` }).regex(/^[0-9A-Za-z-]{1,40}$/, `${label} must be the id of a row.`)

/** What every list takes, as query parameters. `S` are the columns it sorts by. */
export function paging<const S extends readonly [string, ...string[]]>(sorts: S) {
  return {
    page: wholeNumber('page', 1_000_000).optional().describe(`From 1. Alone it ends at row ${MAX_COUNTED}: later rows come with after.`),
    per_page: wholeNumber('per_page', PER_PAGE.max).optional().describe(`1 to ${PER_PAGE.max}, ${PER_PAGE.default} where it is not given.`),
    search: z
      .string({ error: 'search must be given once.' })
      .max(100, 'search can be at most 100 characters long.')
      .transform((text) => text.trim())
      .optional(),
    sort: z.enum(sorts, { error: `sort must be one of ${sorts.join(', ')}.` }).optional(),
    order: z.enum(['asc', 'desc'], { error: 'order must be asc or desc.' }).optional(),
    after: RowId('after')
      .optional()
      .describe(
        'The id of the last row that is known: the page begins behind it, whatever came or went before it. `page` is only repeated then.',
      ),
    before: RowId('before').optional().describe('The id of the first row that is known: the page ends before it.'),
  }
}

/** Several values of one filter, any of which will do: `name[0]=a&name[1]=b`, or `name=a`. */
export function anyOf<const V extends readonly [string, ...string[]]>(name: string, values: V) {
  const one = z.enum(values, { error: `${name} must be one of ${values.join(', ')}.` })
  return z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(one)).optional()
}

/** `true` or `false` in a query. */
export function booleanParam(name: string) {
  return z
    .enum(['true', 'false'], { error: `${name} must be true or false.` })
    .transform((text) => text === 'true')
    .optional()
}

/** The id of a user, as a query names it. */
export const userIdParam = (name: string) =>
  z
    .uuid({ error: `${name} must be the id of a user.` })
    .toLowerCase()
    .optional()

export const PageMeta = z
  .object({
    page: z.int(),
    per_page: z.int(),
    total: z.int().describe(`Exact up to ${MAX_COUNTED}; past it ${MAX_COUNTED}, and capped is true.`),
    pages: z.int(),
    capped: z.boolean().describe('True where there are more rows than total says; the next pages exist.'),
  })
  .meta({ id: 'PageMeta' })
export type PageMeta = z.output<typeof PageMeta>

export function paged<R extends z.ZodType>(row: R) {
  return z.object({ data: z.array(row), meta: PageMeta })
}
