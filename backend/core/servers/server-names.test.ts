/** Names of servers are unique to the eye. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, emptyBin, newName } from '#tests/factories.ts'
import { type TestUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let ownerCount = 0
beforeAll(async () => {
  app = await startApp()
})

const newOwner = () => {
  ownerCount += 1
  return app.signIn(`owner${ownerCount}`)
}

const create = (owner: TestUser, body: unknown) => owner.call(servers.create, { body: body as { name: string } })
const change = (owner: TestUser, id: string, body: unknown) => owner.call(servers.change, { params: { id }, body: body as object })

describe('names', () => {
  test('a taken name is a business conflict, even with another case, width, accent or look-alike letter', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    await buildServer(owner, { name: 'Paradise Cove 10' })
    for (const name of [
      'Paradise Cove 10',
      'PARADISE COVE 10',
      'paradise  cove 10',
      'Ｐａｒａｄｉｓｅ Ｃｏｖｅ １０',
      'Pärädíse Cove 10',
      'Рaradisе Соve 10',
      'Paradise Cove lO',
      'ParadIse C0ve 1０',
    ]) {
      const rejected = await create(other, { name })
      expect(rejected.status, name).toBe(409)
      expect(rejected.error, name).toMatchObject({ isBusiness: true, businessStatus: 'NAME_ALREADY_EXISTS' })
    }
  })

  test('a name goes to one of twenty owners who request it at once', async () => {
    const owners = await Promise.all(Array.from({ length: 20 }, newOwner))
    const name = newName()
    const responses = await Promise.all(owners.map((owner) => create(owner, { name })))
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })

  test('lets a server change the case of its name', async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner, { name: 'Quiet Harbour' })
    expect((await change(owner, id, { name: 'QUIET Harbour' })).data.name).toBe('QUIET Harbour')
  })

  test('rejects renaming to a taken name and keeps the old one; the name of a server that is deleted for good is available', async () => {
    const owner = await newOwner()
    const [first, second] = [await buildServer(owner), await buildServer(owner)]
    const rejected = await change(owner, second.public_id, { name: first.name, description: 'new' })
    expect(rejected.error.businessStatus).toBe('NAME_ALREADY_EXISTS')
    expect((await owner.call(servers.get, { params: { id: second.public_id } })).data).toMatchObject({ name: second.name, description: '' })
    await owner.call(servers.remove, { params: { id: first.public_id } })
    await emptyBin(app)
    expect((await change(owner, second.public_id, { name: first.name })).status).toBe(200)
  })
})
