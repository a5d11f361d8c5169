/** Replaces what schemas say about themselves in the OpenAPI document. */
import { z } from 'zod'

/** Documents a schema with this JSON Schema instead of its own. Example: a number in a query, which arrives as text. */
export function documentedAs<S extends z.ZodType>(schema: S, json: Readonly<Record<string, unknown>>): S {
  return schema.meta({ ...schema.meta(), documented: json })
}

/**
 * A code for programs. Any text passes, because rows and nodes of another version may have codes that this one does not know.
 * @param id the name of the enumeration in the document.
 */
export function codeOf(id: string, codes: readonly string[], description: string) {
  return z.string().meta({ id, enum: [...codes], description: `${description} Later versions may add codes.` })
}
