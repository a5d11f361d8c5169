/** A program that uses the generated client. The test type-checks it against the client, then runs it. */
import { ok } from '@oazapfts/runtime'
import * as client from './client.ts'

export interface Addresses {
  readonly panel: string
  readonly masterlist: string
}

/** What a call replied, for the test to compare with the document. */
export interface Reply {
  readonly operationId: string
  readonly status: number
  readonly data: unknown
}

/** @param cookie the session of an administrator. Returns every reply. */
export async function callEverything({ panel, masterlist }: Addresses, cookie: string): Promise<Reply[]> {
  const replies: Reply[] = []
  const keep = async <R extends Awaited<Parameters<typeof ok>[0]>>(operationId: string, call: Promise<R>): Promise<R> => {
    const reply = await call
    replies.push({ operationId, status: reply.status, data: 'data' in reply ? reply.data : undefined })
    return reply
  }
  const signedIn = { baseUrl: panel, headers: { cookie } }
  const list = { baseUrl: masterlist }

  const about = await ok(keep('getAbout', client.getAbout({ baseUrl: panel })))
  const version: string = about.data.version
  const me = await ok(keep('getMe', client.getMe(signedIn)))
  const created = await ok(keep('createServer', client.createServer({ name: `Town ${version}`, tags: ['friendly'] }, signedIn)))
  const { public_id: id, credential } = created.data
  const changed = await ok(
    keep('changeServer', client.changeServer(id, { description: 'By the sea.', visible: true }, { ifMatch: '*' }, signedIn)),
  )
  const description: string = changed.data.description
  await keep('changeServer', client.changeServer(id, { description: description.repeat(100) }, {}, signedIn))

  const announced = await ok(
    keep(
      'announce',
      client.announce(
        { port: 7788, playersCount: 3, maxPlayersCount: 64, passworded: false, version: '1.0', branch: 'release' },
        { ...list, headers: { authorization: `Bearer ${credential}` } },
      ),
    ),
  )
  const nextAnnounceSeconds: number = announced.nextAnnounceSeconds
  const rejected = await keep(
    'announce',
    client.announce(
      { port: 7788, playersCount: 3, maxPlayersCount: 64, passworded: false, version: '1.0', branch: 'release' },
      { ...list, headers: { authorization: 'Bearer mst_wrong' } },
    ),
  )
  const code: client.ListErrorCode = rejected.status === 401 ? rejected.data.code : 'NOT_FOUND'
  if (code !== 'CREDENTIAL_MALFORMED' || nextAnnounceSeconds <= 0) throw new Error(`The announce returned ${String(code)}.`)

  await untilListed(list)
  const whole = await keep('listServers', client.listServers({ limit: 10, branch: 'release' }, list))
  if (whole.status !== 200 || !Array.isArray(whole.data)) throw new Error('The list is not an array.')
  const players: number = whole.data.reduce((sum, { playersCount }) => sum + playersCount, 0)
  await keep('listServers', client.listServers({ format: 'columns' }, list))
  await keep('getListInfo', client.getListInfo({}, list))
  await keep('getListedServer', client.getListedServer(id, {}, list))
  await keep('getListedServer', client.getListedServer('nothing', {}, list))
  await keep('getAveragePlayers', client.getAveragePlayers(id, '1d', {}, list))

  const owned = await ok(keep('listOwnServers', client.listOwnServers(signedIn)))
  const [status]: client.ServerStatus[] = owned.data.owned.map((server) => server.status)
  await keep('listAnnounceAttempts', client.listAnnounceAttempts(id, signedIn))
  const all = await ok(
    keep('adminListServers', client.adminListServers({ status: ['online', 'never_seen'], userId: me.data.id, perPage: 5 }, signedIn)),
  )
  if (players !== 3 || status !== 'online' || all.meta.total !== 1)
    throw new Error(`${players} players, ${status}, ${all.meta.total} servers`)
  await keep('goOffline', client.goOffline({ port: 7788 }, { ...list, headers: { authorization: `Bearer ${credential}` } }))
  await keep('getServer', client.getServer('AAAAAAA', signedIn))
  return replies
}

/** The list follows an announce within a second. */
async function untilListed(list: { readonly baseUrl: string }): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const info = await client.getListInfo({}, list)
    if (info.status === 200 && info.data.serversCount > 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The server did not appear on the list.')
}
