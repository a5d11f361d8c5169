import { zodResolver } from '@hookform/resolvers/zod'
import type { Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { isEqual } from '#web/lib/is-equal.ts'
import { type ListingInput, ListingSchema } from './listing-input.ts'

type Listing = z.output<typeof ListingSchema>

const check: Resolver<ListingInput, unknown, Listing> = zodResolver(ListingSchema)

/** Accepts unchanged values, because an earlier rule may have allowed them. Only changed ones are sent. */
export function listingResolver(stored: ListingInput): typeof check {
  return async (values, context, options) => {
    const result = await check(values, context, options)
    const errors = { ...result.errors }
    for (const name of Object.keys(stored) as (keyof ListingInput)[]) if (isEqual(values[name], stored[name])) delete errors[name]
    if (Object.keys(errors).length > 0) return { values: {}, errors }
    return Object.keys(result.errors).length > 0 ? { values: values as Listing, errors: {} } : result
  }
}
