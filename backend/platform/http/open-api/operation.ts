/** One operation of the OpenAPI document: parameters, body and responses of an endpoint. */
import { type Endpoint, envelopeOf, isOnMasterList, parseRoute } from '#contract/api/endpoint.ts'
import { ErrorReply, ListErrorReply } from '#contract/api/errors.ts'
import { LIST_ERRORS, type ListErrorCode } from '#contract/masterlist/list-codes.ts'
import { sentence } from '#backend/platform/messages/sentence.ts'
import type { Json, SchemaCollection } from './schema.ts'

/** What the master list sends with a code, for examples. */
export type ListErrorTexts = (code: ListErrorCode) => { readonly message: string; readonly remedy: string }

export const REPLY_HEADERS = {
  ETag: { description: 'The version of the body. Send it back as `If-None-Match`.', schema: { type: 'string' } },
  'X-List-Version': { description: 'The version of the list, for `since`.', schema: { type: 'string' } },
  'X-Next-Cursor': { description: 'The `cursor` of the next page. Absent on the last page.', schema: { type: 'string' } },
  Link: { description: 'The address of the next page, with `rel="next"`. Absent on the last page.', schema: { type: 'string' } },
  Age: { description: 'Seconds since the list lost its database or the other nodes. Absent otherwise.', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait before the next call.', schema: { type: 'integer' } },
} as const

/** By envelope; all others are JSON. */
const TYPES: Readonly<Record<string, string>> = { text: 'text/plain', svg: 'image/svg+xml', events: 'text/event-stream' }

/** What a status means, unless the endpoint says more. */
export const REJECTIONS: Readonly<Record<number, string>> = {
  400: 'Invalid input. Each sentence says what is wrong and how to fix it.',
  401: 'The API key is unknown, expired or revoked.',
  403: 'Not signed in, or not allowed.',
  404: 'Not found.',
  409: 'Conflict.',
  410: 'The version is too old. Read the whole list again.',
  412: 'The object was changed since the version in `If-Match`. `current` is what it is now.',
  413: 'The body is too large.',
  415: 'The body is not application/json.',
  429: 'Too many requests.',
  503: 'Temporarily unavailable.',
}

const PANEL_EXAMPLES: Readonly<Record<number, Json>> = {
  403: { 'Not signed in': { statusCode: 403, errors: [sentence('NOT_SIGNED_IN')], isBusiness: false } },
  429: { 'Too many requests': { statusCode: 429, errors: [sentence('TOO_MANY_REQUESTS', { count: 3 })], isBusiness: false } },
}

export function operation(endpoint: Endpoint, operationId: string, tag: string, schemas: SchemaCollection, texts: ListErrorTexts): Json {
  const parameters = parametersOf(endpoint, schemas)
  const body = bodyOf(endpoint, schemas)
  return {
    operationId,
    summary: endpoint.summary,
    ...(endpoint.description !== undefined && { description: endpoint.description }),
    tags: [tag],
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: { ...successOf(endpoint, schemas), ...rejectionsOf(endpoint, schemas, texts) },
  }
}

/** OpenAPI 3.1 lets a bearer scheme list the needed scopes, as roles. */
function securityOf({ access, scope }: Endpoint): Json[] {
  if (access === 'public') return []
  if (access === 'credential') return [{ credential: [] }]
  return scope === undefined ? [{ session: [] }] : [{ session: [] }, { apiKey: [scope] }]
}

function parametersOf(endpoint: Endpoint, schemas: SchemaCollection): Json[] {
  const { params = {}, query, requestHeaders, replyHeaders = [] } = endpoint
  const names = [...parseRoute(endpoint.route).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const path = names.flatMap((name) =>
    params[name] === undefined ? [] : [parameter('path', name, true, schemas.add(params[name], 'input'))],
  )
  const queries = query === undefined ? [] : schemas.fieldsOf(query).map((field) => queryParameter(field))
  const headers = requestHeaders === undefined ? [] : schemas.fieldsOf(requestHeaders)
  const ofHeaders = headers.map(({ name, required, schema }) => parameter('header', name, required, schema))
  const revalidation = replyHeaders.includes('ETag') ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []
  const condition = endpoint.versioned === true ? [{ $ref: '#/components/parameters/IfMatch' }] : []
  return [...path, ...queries, ...ofHeaders, ...revalidation, ...condition]
}

function parameter(place: 'path' | 'query' | 'header', name: string, required: boolean, described: Json): Json {
  const { description, ...schema } = described
  return { name, in: place, required, ...(description !== undefined && { description }), schema }
}

/** A list of values is sent as `name[]=a&name[]=b`; `name[0]=a` and a single `name=a` work too. */
function queryParameter({ name, required, schema }: { name: string; required: boolean; schema: Json }): Json {
  if (schema.type !== 'array') return parameter('query', name, required, schema)
  return { ...parameter('query', `${name}[]`, required, schema), style: 'form', explode: true }
}

function bodyOf(endpoint: Endpoint, schemas: SchemaCollection): Json | undefined {
  const { body, documentedBody = body, bodyOptional = false, accepts, bodyExamples } = endpoint
  if (documentedBody === undefined) return undefined
  const type = accepts === 'multipart' ? 'multipart/form-data' : 'application/json'
  return { required: !bodyOptional, content: { [type]: { schema: schemas.add(documentedBody, 'input'), ...examples(bodyExamples) } } }
}

function successOf(endpoint: Endpoint, schemas: SchemaCollection): Json {
  const { reply, replyExamples, replyHeaders = [] } = endpoint
  const envelope = envelopeOf(endpoint)
  if (reply === undefined) return { 204: { description: 'Success.' } }
  const inEnvelope = (value: unknown) => (envelope === 'data' ? { data: value } : value)
  const schema = schemas.add(reply, 'output')
  const type = TYPES[envelope] ?? 'application/json'
  const description = envelope === 'events' ? 'A stream of events. The data of each event has this schema.' : 'Success.'
  const whole = envelope === 'data' ? { type: 'object', required: ['data'], properties: { data: schema } } : schema
  const inExamples = Object.entries(replyExamples ?? {}).map(([title, value]) => [title, inEnvelope(value)])
  const headers = headersOf(replyHeaders)
  return {
    200: { description, ...headers, content: { [type]: { schema: whole, ...examples(Object.fromEntries(inExamples) as Json) } } },
    ...(replyHeaders.includes('ETag') && { 304: { description: 'Not modified since `If-None-Match`.', ...headers } }),
  }
}

function rejectionsOf(endpoint: Endpoint, schemas: SchemaCollection, texts: ListErrorTexts): Json {
  const schema = schemas.add(isOnMasterList(endpoint) ? ListErrorReply : ErrorReply, 'output')
  // The error of a stale version has the current object, like the reply.
  const conflict = endpoint.reply === undefined ? schema : schemas.add(ErrorReply.extend({ current: endpoint.reply }), 'output')
  const entries = Object.entries(statusesOf(endpoint)).map(([key, description]) => {
    const status = Number(key)
    const codes = endpoint.codes?.filter((code) => LIST_ERRORS[code] === status) ?? []
    const ofPanel = isOnMasterList(endpoint) ? undefined : PANEL_EXAMPLES[status]
    const shown = examples(codes.length > 0 ? examplesOf(codes, texts) : ofPanel)
    // A picture stays a picture, so that a page shows something.
    if (endpoint.envelope === 'svg' && status === 404)
      return [key, { description, content: { [TYPES.svg ?? '']: { schema: { type: 'string' } } } }] as const
    const headers = status === 429 || status === 503 ? headersOf(['Retry-After']) : {}
    return [
      key,
      { description, ...headers, content: { 'application/json': { schema: status === 412 ? conflict : schema, ...shown } } },
    ] as const
  })
  return Object.fromEntries(entries)
}

/** The statuses that every call of its kind has, those of its codes, and its own descriptions. */
function statusesOf(endpoint: Endpoint): Readonly<Record<number, string>> {
  const { access, scope, rejections, codes = [], versioned } = endpoint
  const isPanel = !isOnMasterList(endpoint)
  const general = isPanel ? [400, ...(scope === undefined ? [] : [401]), ...(access === 'public' ? [] : [403, 503]), 429] : [400]
  const statuses = [...general, ...(versioned === true ? [412] : []), ...codes.map((code) => LIST_ERRORS[code])]
  const isForbidden = (status: number) => !isPanel && status === 403
  const described = statuses.map((status) => [
    status,
    isForbidden(status) ? 'The server or its owner is banned.' : (REJECTIONS[status] ?? ''),
  ])
  return { ...(Object.fromEntries(described) as Record<number, string>), ...rejections }
}

function examplesOf(codes: readonly ListErrorCode[], texts: ListErrorTexts): Json {
  const reply = (code: ListErrorCode) => {
    const { message, remedy } = texts(code)
    return { statusCode: LIST_ERRORS[code], errors: [message], isBusiness: false, code, remedy }
  }
  return Object.fromEntries(codes.map((code) => [code, reply(code)]))
}

function examples(values: Readonly<Json> | undefined): Json {
  const entries = Object.entries(values ?? {})
  if (entries.length === 0) return {}
  const keyOf = (title: string) => title.replaceAll(/[^\w.-]+/g, '_')
  return { examples: Object.fromEntries(entries.map(([title, value]) => [keyOf(title), { summary: title, value }])) }
}

function headersOf(names: readonly (keyof typeof REPLY_HEADERS)[]): Json {
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
}
