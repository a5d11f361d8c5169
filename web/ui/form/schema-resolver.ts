import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { changesIn, namesOf } from './form-options.ts'

/** Accepts stored values as they are, because an earlier rule may have allowed them. Only changed ones are sent. */
export function schemaResolver<T extends FieldValues, B>(schema: z.ZodType<B, T>, stored: T | undefined): Resolver<T, unknown, B> {
  const check = zodResolver(schema as never) as unknown as Resolver<T, unknown, B>
  return async (values, context, options) => {
    const result = await check(values, context, options)
    const wrong = Object.keys(result.errors)
    if (stored === undefined || wrong.length === 0) return result
    const changed: readonly string[] = changesIn(values, stored)
    const errors = Object.entries(result.errors).filter(([name]) => changed.includes(name))
    if (errors.length > 0) return { values: {}, errors: Object.fromEntries(errors) as typeof result.errors & object }
    const { shape } = schema as unknown as z.ZodObject
    const parse = (name: string) => (wrong.includes(name) ? values[name] : shape[name]?.parse(values[name]))
    return { values: Object.fromEntries(namesOf(values).map((name) => [name, parse(name)])) as B, errors: {} }
  }
}
