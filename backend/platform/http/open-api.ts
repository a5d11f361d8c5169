/** Writes the OpenAPI 3.1 document from the table of endpoints. */
import { z } from 'zod'
import { type Endpoint, parseRoute } from '#contract/endpoint.ts'
import { ErrorReply } from '#contract/errors.ts'
import { endpoints } from '#contract/index.ts'
import { ListErrorReply } from '#contract/masterlist.ts'
import { VERSION } from '#backend/platform/version.ts'

type Json = Record<string, unknown>

const COMMON: Readonly<Record<number, string>> = {
  400: 'The input is wrong; each sentence says what and what would be right.',
  429: 'Too often; Retry-After says when again.',
}

export function openApiDocument(): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const { method, path } = parseRoute(endpoint.route)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(endpoint, schemas) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version: VERSION,
      description:
        'The panel and the public master list. Calls under /api are the panel’s; the rest is served by the master list’s own listener.',
    },
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'muster_session',
          description: 'Set by POST /api/auth/discord. Named __Host-muster_session over https.',
        },
        credential: { type: 'http', scheme: 'bearer', description: "A game server's credential." },
      },
    },
  }
  return JSON.parse(JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  const { path } = parseRoute(endpoint.route)
  const isList = endpoint.listener === 'masterlist'
  const error = jsonOf(isList ? ListErrorReply : ErrorReply, schemas, 'output')
  const statuses = {
    ...COMMON,
    ...(endpoint.access !== 'public' && !isList && { 403: 'Not signed in, or not allowed.' }),
    ...endpoint.rejections,
  }
  const refusals = Object.entries(statuses).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: error } } },
  ])
  return {
    summary: endpoint.summary,
    tags: [isList ? 'master list' : 'panel'],
    ...(endpoint.access === 'credential' && { security: [{ credential: [] }] }),
    ...(['session', 'unbanned', 'member', 'admin'].includes(endpoint.access) && { security: [{ session: [] }] }),
    parameters: [...pathParameters(path), ...queryParameters(endpoint, schemas)],
    ...(endpoint.body !== undefined && {
      requestBody: {
        required: endpoint.bodyOptional !== true,
        content: { 'application/json': { schema: jsonOf(endpoint.body, schemas, 'input') } },
      },
    }),
    responses: { ...success(endpoint, schemas), ...Object.fromEntries(refusals) },
  }
}

function success(endpoint: Endpoint, schemas: Json): Json {
  const { envelope = 'data', reply } = endpoint
  if (envelope === 'none' || reply === undefined) return { 204: { description: 'Done.' } }
  const schema = jsonOf(reply, schemas, 'output')
  const ok = (type: string, body: Json, description = 'Done.') => ({ 200: { description, content: { [type]: { schema: body } } } })
  if (envelope === 'text') return ok('text/plain', schema)
  if (envelope === 'events') return ok('text/event-stream', schema, 'A stream; the data of each event is as below.')
  return ok('application/json', envelope === 'bare' ? schema : { type: 'object', required: ['data'], properties: { data: schema } })
}

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

function queryParameters(endpoint: Endpoint, schemas: Json): Json[] {
  if (endpoint.query === undefined) return []
  const { properties = {}, required = [] } = jsonOf(endpoint.query, schemas, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }))
}

/** A schema's JSON. Named schemas, this one or those inside it, move to the components. */
function jsonOf(schema: z.ZodType, schemas: Json, io: 'input' | 'output'): Json {
  // In an array, as zod refers to named schemas only below the root.
  const { items, $defs = {} } = z.toJSONSchema(z.array(schema), { io, unrepresentable: 'any', reused: 'inline' })
  for (const [name, { id: _id, ...definition }] of Object.entries($defs)) schemas[name] = definition
  return items as Json
}
