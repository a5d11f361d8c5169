/** Writes the OpenAPI 3.1 document from the table of endpoints. */
import { type Endpoint, isOnMasterList, parseRoute } from '#contract/api/endpoint.ts'
import { endpointGroups } from '#contract/index.ts'
import { SCOPES } from '#contract/users/scopes.ts'
import type { Env } from '#backend/platform/env.ts'
import { RELEASE } from '#backend/platform/version.ts'
import { type ListErrorTexts, REPLY_HEADERS, operation } from './operation.ts'
import { type Json, SchemaCollection } from './schema.ts'

const DESCRIPTION = `Muster has two listeners: the panel serves \`/api\`, the master list serves everything else.

- Errors of the panel have the schema \`ErrorReply\`, errors of the master list the schema \`ListErrorReply\`.
- Every response has an \`X-Request-Id\`. Quote it when you report a problem.
- A list in a query is sent as \`name[]=a&name[]=b\`.
- Times are ISO 8601 in UTC.
- A program can use an API key instead of a session, where an operation lists \`apiKey\`: with 60 calls at once and 5 a second. Every answer
  has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds since 1970).`

const LIST_DESCRIPTION = `Game servers announce here, and launchers read the list. The panel has the whole document at \`/api/openapi.json\`.

- Errors have the schema \`ListErrorReply\`.
- Every response has an \`X-Request-Id\`. Quote it when you report a problem.
- Times are ISO 8601 in UTC.`

const API_KEY_DESCRIPTION = `An API key that a user created in the settings of the panel. Each operation lists the scope that the key needs:

${Object.entries(SCOPES)
  .map(([scope, { hint }]) => `- \`${scope}\`: ${hint()}`)
  .join('\n')}`

type Addresses = Pick<Env, 'PUBLIC_URL' | 'PORT' | 'MASTERLIST_PUBLIC_URL' | 'MASTERLIST_PORT'>

/** @param of the whole program, or only the list's listener. */
export function openApiDocument(addresses: Addresses, listErrors: ListErrorTexts, of: 'program' | 'masterlist'): Json {
  const schemas = new SchemaCollection()
  const { panel, masterlist } = serversOf(addresses)
  const isListOnly = of === 'masterlist'
  const isIncluded = (endpoint: Endpoint) => !isListOnly || isOnMasterList(endpoint)
  const paths: Record<string, Json> = {}
  for (const { tag, calls } of endpointGroups)
    for (const [operationId, endpoint] of Object.entries<Endpoint>(calls).filter(([, one]) => isIncluded(one))) {
      const { method, path } = parseRoute(endpoint.route)
      const item = (paths[path] ??= isOnMasterList(endpoint) && !isListOnly ? { servers: [masterlist] } : {})
      item[method.toLowerCase()] = operation(endpoint, operationId, tag, schemas, listErrors)
    }
  const groups = endpointGroups.filter(({ calls }) => Object.values<Endpoint>(calls).some(isIncluded))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version: RELEASE,
      summary: 'A panel and a public master list for game servers.',
      description: isListOnly ? LIST_DESCRIPTION : DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [isListOnly ? masterlist : panel],
    tags: groups.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      schemas: schemas.components,
      headers: REPLY_HEADERS,
      parameters: {
        IfNoneMatch: {
          name: 'If-None-Match',
          in: 'header',
          required: false,
          description: 'The `ETag` of the body that you have. The reply is 304 if it is still current.',
          schema: { type: 'string' },
        },
        IfMatch: {
          name: 'If-Match',
          in: 'header',
          required: false,
          description: 'The `version` that the change is based on, in double quotes. If it is stale, the reply is 412 and nothing changes.',
          schema: { type: 'string' },
          example: '"3"',
        },
      },
      securitySchemes: {
        ...(!isListOnly && panelSchemes(addresses)),
        credential: { type: 'http', scheme: 'bearer', description: 'The credential of a game server.' },
      },
    },
  }
}

function panelSchemes({ PUBLIC_URL }: Addresses) {
  return {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: PUBLIC_URL?.startsWith('https:') === true ? '__Host-muster_session' : 'muster_session',
      description: 'The session cookie that `POST /api/auth/discord` sets.',
    },
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'msk_…',
      description: API_KEY_DESCRIPTION,
    },
  }
}

function serversOf({ PUBLIC_URL, PORT, MASTERLIST_PUBLIC_URL, MASTERLIST_PORT }: Addresses) {
  return {
    panel: { url: PUBLIC_URL ?? `http://localhost:${PORT}`, description: 'The panel.' },
    masterlist: { url: MASTERLIST_PUBLIC_URL ?? `http://localhost:${MASTERLIST_PORT}`, description: 'The master list.' },
  }
}
