/** The OpenAPI document: valid, complete, compressed and cacheable. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, startApp } from '#tests/harness.ts'
import { type OpenApi, operationsOf, schemasOf } from '#tests/openapi/document.ts'
import { send } from '#tests/list/send.ts'

let app: TestApp
const read = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  send(`${app.panelUrl}/api/openapi.json`, { method, headers })

const readDocument = async () => JSON.parse((await read()).text) as OpenApi

beforeAll(async () => {
  app = await startApp()
})

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse((await read()).text) as Record<string, unknown>)
  expect([valid, errors]).toEqual([true, undefined])
})

test('every reference resolves, and no named schema is empty or only a reference', async () => {
  const { text } = await read()
  const document = JSON.parse(text) as OpenApi
  const { schemas } = document.components
  const emptySchemas = Object.entries(schemas).filter(([, schema]) => '$ref' in schema || Object.keys(schema).length === 0)
  expect(emptySchemas).toEqual([])
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, reference = '']) => reference)
  expect(references.length).toBeGreaterThan(50)
  const targetOf = (reference: string) =>
    reference.split('/').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
  expect(references.filter((reference) => targetOf(reference) === undefined)).toEqual([])
  expect(schemas.ListedServer).toMatchObject({ type: 'object', properties: { publicId: { type: 'string' } } })
})

test('every operation has a unique ID, a known tag, and a description of each path parameter', async () => {
  const document = await readDocument()
  const operations = operationsOf(document)
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([])
  const tags = new Set(document.tags.map(({ name }) => name))
  expect(operations.filter(({ operation }) => !operation.tags.every((tag) => tags.has(tag)))).toEqual([])
  for (const { route, operation } of operations) {
    const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described = (operation.parameters ?? []).filter(
      ({ in: location, description }) => location === 'path' && description !== undefined,
    )
    expect(described.map(({ name }) => name)).toEqual(names)
  }
})

test('exactly the paths outside /api/ name the address of the master list', async () => {
  const { servers, paths } = await readDocument()
  expect(servers).toHaveLength(1)
  const listPaths = Object.entries(paths).filter(([, { servers: own }]) => own !== undefined)
  expect(listPaths.length).toBeGreaterThan(5)
  expect(Object.keys(paths).filter((path) => path.startsWith('/api/') === (paths[path]?.servers !== undefined))).toEqual([])
})

test('operations with an ETag declare 304, 429 and 503 declare Retry-After, and every response has a description', async () => {
  for (const { route, operation } of operationsOf(await readDocument())) {
    const { 200: success, 304: unchanged, 429: tooMany, 503: unavailable } = operation.responses
    expect(unchanged !== undefined, route).toBe(success?.headers?.ETag !== undefined)
    for (const response of [tooMany, unavailable]) if (response !== undefined) expect(response.headers, route).toHaveProperty('Retry-After')
    for (const [status, { description }] of Object.entries(operation.responses)) expect(description, `${route} ${status}`).not.toBe('')
  }
  expect(operationsOf(await readDocument()).find(({ route }) => route === 'GET /servers')?.operation.responses[200]?.headers).toMatchObject(
    {
      ETag: {},
      'X-List-Version': {},
      'X-Next-Cursor': {},
    },
  )
})

test('every example matches its schema', async () => {
  const document = await readDocument()
  const schemas = schemasOf(document)
  let count = 0
  for (const { route, operation } of operationsOf(document))
    for (const { content } of [operation.requestBody, ...Object.values(operation.responses)].filter((part) => part !== undefined))
      for (const { schema, examples = {} } of Object.values(content ?? {}))
        for (const [title, { value }] of Object.entries(examples)) {
          count += 1
          expect(schemas.validate(schema, value), `${route}: ${title}`).toEqual([])
        }
  expect(count).toBeGreaterThan(100)
})

test('list parameters are declared in the form that the panel accepts', async () => {
  const document = await readDocument()
  const parameters = operationsOf(document).flatMap(({ operation }) => operation.parameters ?? [])
  const lists = parameters.filter(({ name }) => name?.endsWith('[]') === true)
  expect(lists.length).toBeGreaterThan(5)
  for (const list of lists) expect(list).toMatchObject({ style: 'form', explode: true, schema: { type: 'array' } })
  const admin = await app.signIn('admin')
  const rejected = await admin.fetch('/api/admin/tokens?status[]=online&status[]=asleep')
  expect([rejected.status, await rejected.text()]).toEqual([400, expect.stringContaining('status must be one of')])
  expect((await admin.fetch('/api/admin/tokens?status[]=online&status[]=offline')).status).toBe(200)
})

test("the list's listener serves its own document: valid, with its calls only, readable for any page", async () => {
  const response = await send(`${app.listUrl}/openapi.json`)
  expect([response.status, response.headers['content-type'], response.headers['access-control-allow-origin']]).toEqual([
    200,
    'application/json; charset=utf-8',
    '*',
  ])
  const document = JSON.parse(response.text) as OpenApi
  const { valid, errors } = await new Validator().validate(JSON.parse(response.text) as Record<string, unknown>)
  expect([valid, errors]).toEqual([true, undefined])
  const { servers, paths } = await readDocument()
  const ofList = Object.entries(paths).filter(([, item]) => item.servers !== undefined)
  expect(document.servers).toEqual(ofList[0]?.[1].servers)
  expect(document.servers).not.toEqual(servers)
  expect(Object.keys(document.paths)).toEqual(ofList.map(([path]) => path))
  expect(Object.values(document.paths).filter((item) => item.servers !== undefined)).toEqual([])
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags))
  expect(document.tags.map(({ name }) => name)).toEqual([...used])
  expect(response.text).not.toContain('muster_session')
  const unchanged = await send(`${app.listUrl}/openapi.json`, { headers: { 'if-none-match': response.headers.etag ?? '' } })
  expect(unchanged.status).toBe(304)
  expect((await send(`${app.listUrl}/openapi.json`, { method: 'POST' })).status).toBe(405)
})

test('the document is compressed on request, with the same content', async () => {
  const plain = await read()
  expect(plain.headers['content-encoding']).toBeUndefined()
  const [gzipped, brotli] = [await read({ 'accept-encoding': 'gzip' }), await read({ 'accept-encoding': 'gzip, br' })]
  expect([gzipped.headers['content-encoding'], gunzipSync(gzipped.bytes).toString()]).toEqual(['gzip', plain.text])
  expect([brotli.headers['content-encoding'], brotliDecompressSync(brotli.bytes).toString()]).toEqual(['br', plain.text])
  expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 5)
  for (const { headers } of [plain, gzipped, brotli]) {
    expect(headers).toMatchObject({ vary: 'accept-encoding', 'content-type': 'application/json; charset=utf-8' })
  }
})

test('a request with the current ETag gets 304, and with another one the document', async () => {
  const { etag = '', 'cache-control': cacheControl } = (await read()).headers
  expect([etag, cacheControl]).toEqual([expect.stringMatching(/^W\/"[\w-]{22}"$/), 'no-cache'])
  const unchanged = await read({ 'if-none-match': etag, 'accept-encoding': 'br' })
  expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', etag])
  expect((await read({ 'if-none-match': 'W/"of-another-version"' })).status).toBe(200)
  expect(await read({}, 'HEAD')).toMatchObject({ status: 200, text: '', headers: { etag } })
})
