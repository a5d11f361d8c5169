/** How schemas describe themselves in the OpenAPI document where their own JSON Schema would say too little. */
import { z } from 'zod'

/** The document has this JSON Schema in place of the schema's own, such as a number in a query, which arrives as a text. */
export function documentedAs<S extends z.ZodType>(schema: S, json: Readonly<Record<string, unknown>>): S {
  return schema.meta({ ...schema.meta(), documented: json })
}

/**
 * A code for programs. Any text passes, because rows and nodes of another version may have codes that this one does not know.
 * @param id the name of its enumeration in the document.
 */
export function codeOf(id: string, codes: readonly string[], description: string) {
  return z.string().meta({ id, enum: [...codes], description: `${description} Later versions may add codes.` })
}
