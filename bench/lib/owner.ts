/** An owner with servers on a running program, made through its API. */
import type { Program } from '#tests/program.ts'

interface CreatedServer {
  readonly public_id: string
  readonly credential: string
}

/** Every second server is online. @returns the owner's cookies */
export async function signedInWithServers(program: Program, servers: number): Promise<string> {
  const { owner, created } = await ownerWith(program, servers)
  for (const [index, { credential }] of created.entries()) if (index % 2 === 0) await announce(program, credential)
  return owner.cookies()
}

/** All servers are online. @returns their public IDs */
export async function announceAsOwner(program: Program, servers: number): Promise<string[]> {
  const { created } = await ownerWith(program, servers)
  for (const { credential } of created) await announce(program, credential)
  return created.map((server) => server.public_id)
}

async function ownerWith(program: Program, servers: number) {
  const [admin, owner] = [await signIn(program, 'admin'), await signIn(program, 'owner')]
  const { data: me } = (await (await owner.request('/api/auth/me')).json()) as { data: { id: string } }
  await admin.request(`/api/admin/users/${me.id}`, { max_masterlist_tokens: servers }, 'PATCH')
  const created: CreatedServer[] = []
  for (let index = 0; index < servers; index += 1) {
    const body = {
      name: `Friday Night Roleplay ${index + 1}`,
      tags: ['roleplay', 'economy'],
      description: 'A city with jobs for everyone.',
    }
    const { data } = (await (await owner.request('/api/users/tokens', body)).json()) as { data: CreatedServer }
    created.push(data)
  }
  return { owner, created }
}

async function signIn(program: Program, username: string) {
  const jar = new Map<string, string>()
  const cookies = () => [...jar].map((pair) => pair.join('=')).join('; ')
  const request = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const reply = await fetch(new URL(path, program.panelUrl), {
      redirect: 'manual',
      method,
      headers: {
        cookie: cookies(),
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return reply
  }
  const authorize = new URL(await (await request('/api/auth/discord')).text(), program.panelUrl)
  authorize.searchParams.set('username', username)
  const back = new URL((await request(authorize.pathname + authorize.search)).headers.get('location') ?? '', program.panelUrl)
  await request('/api/auth/discord', { code: back.searchParams.get('code'), state: back.searchParams.get('state') })
  return { request, cookies }
}

async function announce(program: Program, credential: string): Promise<void> {
  await fetch(`${program.listUrl}/announce`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ port: 7788, playersCount: 37, maxPlayersCount: 128, passworded: false, version: '1.0.0', branch: 'release' }),
  })
}
