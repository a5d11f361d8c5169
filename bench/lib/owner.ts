/** An owner with servers on a running program, made through its API. */
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import type { Program } from '#tests/program.ts'

export class Owner {
  readonly #program: Program
  readonly #cookies = new Map<string, string>()
  readonly publicIds: string[] = []

  private constructor(program: Program) {
    this.#program = program
  }

  /** Signs in an owner with servers. Every second server is online. */
  static async withServers(program: Program, servers: number): Promise<Owner> {
    const [admin, owner] = [new Owner(program), new Owner(program)]
    await admin.#signIn('admin')
    await owner.#signIn('owner')
    const { id } = await owner.call<{ id: string }>('GET /api/auth/me')
    await admin.call(`PATCH /api/admin/users/${id}`, { max_masterlist_tokens: servers })
    for (let index = 0; index < servers; index += 1) {
      const body = { name: `Friday Night Roleplay ${index + 1}`, tags: ['roleplay'], description: 'A city with jobs for everyone.' }
      const { public_id: publicId, credential } = await owner.call<ServerWithCredential>('POST /api/users/tokens', body)
      owner.publicIds.push(publicId)
      if (index % 2 === 0) await announce(program, credential)
    }
    return owner
  }

  cookies(): string {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ')
  }

  /** Calls the panel's API. Throws on a rejection. */
  async call<T = unknown>(route: string, body?: unknown): Promise<T> {
    const [method = '', path = ''] = route.split(' ')
    const reply = await this.#request(method, path, body)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${route} returned ${reply.status}: ${text}`)
    return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T
  }

  async #request(method: string, path: string, body?: unknown): Promise<Response> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { cookie: this.cookies(), 'sec-fetch-site': 'same-origin', ...json }
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await fetch(new URL(path, this.#program.panelUrl), { redirect: 'manual', method, headers, ...content })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      this.#cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return reply
  }

  async #signIn(username: string): Promise<void> {
    const authorize = new URL(await (await this.#request('GET', '/api/auth/discord')).text(), this.#program.panelUrl)
    authorize.searchParams.set('username', username)
    const back = await this.#request('GET', authorize.pathname + authorize.search)
    const { searchParams } = new URL(back.headers.get('location') ?? '', this.#program.panelUrl)
    await this.#request('POST', '/api/auth/discord', { code: searchParams.get('code'), state: searchParams.get('state') })
  }
}

async function announce(program: Program, credential: string): Promise<void> {
  await fetch(`${program.listUrl}/announce`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ port: 7788, playersCount: 37, maxPlayersCount: 128, passworded: false, version: '1.0.0', branch: 'release' }),
  })
}
