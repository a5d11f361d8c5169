/** The OpenAPI document, as the checks of generated files read it. */
import { wordingOf } from '#backend/masterlist/registry/reasons.ts'
import { openApiDocument } from '#backend/platform/http/open-api/open-api.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly description?: string
  readonly required?: boolean
}

export interface Operation {
  readonly parameters?: readonly (Schema & {
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
    readonly schema: Schema
  })[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const addresses = { PUBLIC_URL: undefined, PORT: 3000, MASTERLIST_PUBLIC_URL: undefined, MASTERLIST_PORT: 3001 }
export const { paths, components } = openApiDocument(addresses, wordingOf, 'program') as unknown as Document
