/** The document of all calls, as tools read it: valid, whole, and sent like everything that seldom changes. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, startApp } from '#tests/harness.ts'
import { send } from '#tests/list/send.ts'

type Document = { readonly openapi: string; readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> } }

let app: TestApp
const read = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  send(`${app.panelUrl}/api/openapi.json`, { method, headers })

beforeAll(async () => {
  app = await startApp()
})

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse((await read()).text) as Record<string, unknown>)
  expect([valid, errors]).toEqual([true, undefined])
})

test('every reference in the document leads to a schema that says something', async () => {
  const { text } = await read()
  const { components } = JSON.parse(text) as Document
  const bare = Object.entries(components.schemas).filter(([, schema]) => '$ref' in schema || Object.keys(schema).length === 0)
  expect(bare).toEqual([])
  const referenced = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)
  expect(referenced.length).toBeGreaterThan(50)
  const missing = referenced.filter((reference) => components.schemas[reference.replace('#/components/schemas/', '')] === undefined)
  expect(missing).toEqual([])
  expect(components.schemas.ListedServer).toMatchObject({ type: 'object', properties: { publicId: { type: 'string' } } })
})

test('the document is sent compressed to whoever takes it so, and says the same', async () => {
  const plain = await read()
  expect(plain.headers['content-encoding']).toBeUndefined()
  const [zipped, packed] = [await read({ 'accept-encoding': 'gzip' }), await read({ 'accept-encoding': 'gzip, br' })]
  expect([zipped.headers['content-encoding'], gunzipSync(zipped.bytes).toString()]).toEqual(['gzip', plain.text])
  expect([packed.headers['content-encoding'], brotliDecompressSync(packed.bytes).toString()]).toEqual(['br', plain.text])
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5)
  for (const { headers } of [plain, zipped, packed]) {
    expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-type': 'application/json; charset=utf-8' })
  }
})

test('whoever has the document already is told 304, and only they', async () => {
  const { etag = '', 'cache-control': kept } = (await read()).headers
  expect([etag, kept]).toEqual([expect.stringMatching(/^W\/"[\w-]{22}"$/), 'no-cache'])
  const same = await read({ 'if-none-match': etag, 'accept-encoding': 'br' })
  expect([same.status, same.text, same.headers.etag]).toEqual([304, '', etag])
  expect((await read({ 'if-none-match': 'W/"of-another-version"' })).status).toBe(200)
  expect(await read({}, 'HEAD')).toMatchObject({ status: 200, text: '', headers: { etag } })
})
