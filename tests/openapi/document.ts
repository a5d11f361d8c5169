/** Compares values with the schemas of the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'

type Json = Record<string, unknown>

interface Media {
  readonly schema: Json
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly description?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly headers?: Json; readonly content?: Readonly<Record<string, Media>> }>
  >
}

export interface OpenApi {
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>> & { readonly servers?: readonly { readonly url: string }[] }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json & { readonly properties?: Json }>>
    readonly headers: Json
    readonly parameters: Json
  }
}

/** Every operation with its method and path. */
export function operationsOf({ paths }: OpenApi): { readonly route: string; readonly operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, { servers: _servers, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation: operation as Operation })),
  )
}

export function schemasOf(document: OpenApi) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const compiled = new Map<string, ValidateFunction>()
  const byId = new Map(operationsOf(document).map(({ operation }) => [operation.operationId, operation]))
  const validate = (schema: Json, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Json)
    compiled.set(text, check)
    return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  return {
    validate,
    /** What is wrong with a JSON reply; empty if nothing is. */
    errorsOf(operationId: string, status: number, body: unknown): string[] {
      const response = byId.get(operationId)?.responses[status]
      if (response === undefined) return [`${operationId} has no response ${status}`]
      const media = response.content?.['application/json']
      if (media === undefined) return body === undefined || body === '' ? [] : ['there must be no body']
      return validate(media.schema, body)
    },
  }
}
