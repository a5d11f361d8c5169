/** JSON Schemas of the OpenAPI document, from the schemas of the contract. */
import { z } from 'zod'

export type Json = Record<string, unknown>

/** Collects named schemas under `components.schemas`. */
export class SchemaCollection {
  readonly #named: Json = {}

  get components(): Json {
    return Object.fromEntries(Object.entries(this.#named).toSorted(([a], [b]) => a.localeCompare(b, 'en')))
  }

  /** Returns the schema, or a reference if it has a name. @param io callers send the input and receive the output. */
  add(schema: z.ZodType, io: 'input' | 'output'): Json {
    // In an array, because zod refers to named schemas only below the root.
    const { items, $defs = {} } = z.toJSONSchema(z.array(schema), { io, unrepresentable: 'any', reused: 'inline', override: simplify })
    for (const [name, { id: _id, ...definition }] of Object.entries($defs)) this.#define(name, relocated(definition))
    return relocated(items as Json)
  }

  /** The fields of an unnamed object, such as a query. */
  fieldsOf(schema: z.ZodType): { readonly name: string; readonly required: boolean; readonly schema: Json }[] {
    const { properties = {}, required = [] } = this.add(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
    return Object.entries(properties).map(([name, field]) => ({ name, required: required.includes(name), schema: field }))
  }

  #define(name: string, definition: Json): void {
    const known = this.#named[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) throw new Error(`Two schemas have the ID ${name}.`)
    this.#named[name] = definition
  }
}

function relocated(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}

/** Replaces what a documented schema says of itself, and drops what zod adds to formats and whole numbers. */
function simplify({ jsonSchema }: { jsonSchema: Json }): void {
  const { documented } = jsonSchema as { documented?: Json }
  if (documented !== undefined) {
    const { description } = jsonSchema
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
    Object.assign(jsonSchema, description === undefined ? {} : { description }, documented)
  }
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'uuid') delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
