/** Checks that compose.yaml, the Dockerfile and the Caddyfile match the program, without running them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fastify from 'fastify'
import { Registry } from 'prom-client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { Variables, readEnv } from '#backend/platform/env.ts'
import { serveHealth } from '#backend/platform/http/health.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Yaml = string | null | readonly Yaml[] | { readonly [key: string]: Yaml }
type YamlMap = Readonly<Record<string, Yaml>>

/** Asserts a map. */
function mapOf(value: Yaml | undefined): YamlMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${JSON.stringify(value)} is not a map.`)
  return value as YamlMap
}

/** Asserts a text. */
function textOf(value: Yaml | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`${JSON.stringify(value)} is not a text.`)
  return value
}

/** Asserts a list of texts. */
function textsOf(value: Yaml | undefined): readonly string[] {
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string'))
    throw new TypeError(`${JSON.stringify(value)} is not a list of texts.`)
  return value as readonly string[]
}

// The failsafe schema keeps `8` and `true` as texts.
const compose = mapOf(parse(read('compose.yaml'), { merge: true, schema: 'failsafe' }) as Yaml)
const services = mapOf(compose.services)
const service = (name: string) => mapOf(services[name])
const dockerfile = read('Dockerfile')
const caddyfile = read('deploy/Caddyfile')

/** A value for each required variable. */
const REQUIRED = {
  PANEL_HOST: 'panel.example',
  LIST_HOST: 'list.example',
  POSTGRES_PASSWORD: '0123456789abcdef',
  COOKIE_SECRET: '0123456789abcdef0123456789abcdef',
  DISCORD_CLIENT_ID: '1',
  DISCORD_CLIENT_SECRET: 's',
}

/** Variables that compose.yaml sets itself: its services depend on them, or it computes them from others. */
const OWN = new Set([
  'NODE_ENV',
  'PORT',
  'MASTERLIST_PORT',
  'HOST',
  'DATA_DIR',
  'DATABASE_URL',
  'PUBLIC_URL',
  'MASTERLIST_PUBLIC_URL',
  'TRUSTED_PROXIES',
  'DRAIN_SECONDS',
])

/** `${NAME}`, `${NAME:-else}` and `${NAME:?what to do}`, as compose reads them. */
const VARIABLE = /\$\{(\w+)(?::([-?])([^}]*))?\}/g

function expanded(value: Yaml | undefined, variables: Readonly<Record<string, string>> = REQUIRED): string {
  return textOf(value).replaceAll(VARIABLE, (_, name: string, kind: string | undefined, rest: string | undefined) => {
    if (variables[name]) return variables[name]
    if (kind === '?') throw new Error(rest)
    return rest ?? ''
  })
}

const environmentOf = (name: string) =>
  Object.fromEntries(Object.entries(mapOf(service(name).environment)).map(([variable, value]) => [variable, expanded(value)]))

const namesWhere = (is: (image: string) => boolean) => Object.keys(services).filter((name) => is(textOf(service(name).image)))
const NODES = namesWhere((image) => image === 'muster')
const POSTGRES = namesWhere((image) => image.startsWith('postgres:'))
const PROXIES = namesWhere((image) => image.startsWith('caddy:'))
const [NODE = '', DATABASE = '', PROXY = ''] = [NODES[0], POSTGRES[0], PROXIES[0]]

/** The ENV values of the Dockerfile. */
const imageVariables = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = '']) => pairs.split(' ').map((pair) => pair.split('=') as [string, string])),
)
const envOfNode = (name = NODE) => readEnv({ ...imageVariables, ...environmentOf(name) })
/** The arguments of a Dockerfile instruction in its JSON form. */
const argumentsOf = (instruction: RegExp) => JSON.parse(instruction.exec(dockerfile)?.[1] ?? '[]') as string[]
const seconds = (text: Yaml | undefined) => Number(/^(\d+)s$/.exec(textOf(text))?.[1])

/** Every variable that the program reads. */
function variablesOfProgram(): Set<string> {
  const used = new Set<string>()
  const source = new Proxy<Record<string, string>>({}, { get: (_, name) => void used.add(String(name)) })
  readEnv(source)
  return used
}

test('compose.yaml starts two nodes, one Postgres and one proxy, and nothing else', () => {
  expect([NODES.length, POSTGRES.length, PROXIES.length, Object.keys(services).length]).toEqual([2, 1, 1, 4])
  for (const name of NODES) expect(service(name).build).toBe('.')
})

test.each(Object.keys(services))(
  '%s can write to its volumes and temporary folders only, and has no capability it does not need',
  (name) => {
    const { read_only: readOnly, cap_drop: dropped, security_opt: security, cap_add: added, tmpfs } = service(name)
    expect([readOnly, dropped, security]).toEqual(['true', ['ALL'], ['no-new-privileges:true']])
    expect(added).toEqual(PROXIES.includes(name) ? ['NET_BIND_SERVICE'] : undefined)
    // What each image writes outside of its volumes.
    expect(tmpfs).toEqual(NODES.includes(name) ? ['/tmp'] : name === DATABASE ? ['/tmp', '/run/postgresql'] : ['/config'])
  },
)

test('the database reaches its nodes only, and runs as the owner of its volume', () => {
  expect(service(DATABASE).user).toBe('postgres')
  for (const network of textsOf(service(DATABASE).networks)) expect(mapOf(compose.networks)[network]).toEqual({ internal: 'true' })
})

describe('a node of compose.yaml', () => {
  test.each(NODES)('%s gets only variables that the program reads, each under its own name', (name) => {
    const known = variablesOfProgram()
    const environment = mapOf(service(name).environment)
    expect(Object.keys(environment).filter((variable) => !known.has(variable))).toEqual([])
    const passedOn = Object.entries(environment).flatMap(([variable, value]) => {
      const [, whole] = /^\$\{(\w+):-[^}]*\}$/.exec(textOf(value)) ?? []
      return whole === undefined ? [] : [[variable, whole]]
    })
    expect(passedOn.length).toBeGreaterThan(15)
    expect(passedOn.filter(([variable, whole]) => variable !== whole)).toEqual([])
  })

  test.each(NODES)('%s gets every variable that the program reads, with the value of .env or one of its own, also from a file', (name) => {
    const environment = mapOf(service(name).environment)
    const missing = Object.keys(Variables.shape).flatMap((variable) => {
      const value = environment[variable]
      if (value === undefined) return [`compose.yaml does not pass ${variable} to ${name}. Add: ${variable}: \${${variable}:-}`]
      const isPassedOn = value === `\${${variable}:-}`
      if (!isPassedOn) return OWN.has(variable) ? [] : [`compose.yaml sets ${variable}. Pass it on, or add it to OWN with the reason.`]
      const file = `${variable}_FILE`
      return environment[file] === `\${${file}:-}` ? [] : [`compose.yaml does not pass ${file} to ${name}. Add: ${file}: \${${file}:-}`]
    })
    expect(missing).toEqual([])
  })

  test('adds the proxies of .env to its own, and takes the drain and the mode of .env', () => {
    const env = { TRUSTED_PROXIES: '192.0.2.0/24', DRAIN_SECONDS: '30', NODE_ENV: 'development' }
    const environment = mapOf(service(NODE).environment)
    const values = Object.keys(env).map((variable) => expanded(environment[variable], { ...REQUIRED, ...env }))
    expect(values).toEqual(['172.31.77.0/24,192.0.2.0/24', '30', 'development'])
  })

  test.each(NODES)('%s starts in production with the required variables, and not without any one of them', (name) => {
    expect(envOfNode(name)).toMatchObject({ isProduction: true, PUBLIC_URL: 'https://panel.example', DATA_DIR: '/data' })
    const needed = Object.keys(REQUIRED).filter((left) => {
      const rest = Object.fromEntries(Object.entries(REQUIRED).filter(([variable]) => variable !== left))
      try {
        const environment = Object.entries(mapOf(service(name).environment)).map(([key, value]) => [key, expanded(value, rest)])
        readEnv({ ...imageVariables, ...(Object.fromEntries(environment) as Record<string, string>) })
        return false
      } catch {
        return true
      }
    })
    expect(needed).toEqual(Object.keys(REQUIRED))
  })

  test('has its own data folder and shares the images, on declared volumes', () => {
    const mounts = NODES.map((name) => textsOf(service(name).volumes).map((mount) => mount.split(':') as [string, string]))
    const volumesAt = (path: string) => mounts.map((each) => each.find(([, target]) => target === path)?.[0])
    expect(new Set(volumesAt(envOfNode().DATA_DIR)).size).toBe(NODES.length)
    expect(new Set(volumesAt(`${envOfNode().DATA_DIR}/images`)).size).toBe(1)
    const all = [...NODES, DATABASE, PROXY].flatMap((name) => textsOf(service(name).volumes).map((mount) => mount.split(':')[0] ?? ''))
    const [files, volumes] = [all.filter((from) => from.startsWith('./')), all.filter((from) => !from.startsWith('./'))]
    expect([...new Set(files)]).toEqual(['./secrets', './deploy/Caddyfile'])
    expect([...new Set(volumes)].toSorted()).toEqual(Object.keys(mapOf(compose.volumes)).toSorted())
  })

  test('connects to the Postgres service and waits for its health', () => {
    const { hostname, username, password, pathname } = new URL(envOfNode().DATABASE_URL ?? '')
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = environmentOf(DATABASE)
    expect([hostname, username, password, pathname]).toEqual([DATABASE, POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`])
    expect(service(NODE).depends_on).toEqual({ [DATABASE]: { condition: 'service_healthy' } })
    expect(textsOf(mapOf(service(DATABASE).healthcheck).test)).toEqual(
      expect.arrayContaining(['pg_isready', `--username=${POSTGRES_USER}`, `--dbname=${POSTGRES_DB}`]),
    )
  })

  test('trusts only the network that contains just the nodes and the proxy', () => {
    const networksOf = (name: string) => textsOf(service(name).networks)
    const [proxyNetwork = ''] = networksOf(PROXY)
    expect(networksOf(PROXY)).toHaveLength(1)
    expect(Object.keys(services).filter((name) => networksOf(name).includes(proxyNetwork))).toEqual([...NODES, PROXY])
    expect(networksOf(NODE).filter((network) => networksOf(DATABASE).includes(network))).toHaveLength(1)
    expect([...new Set(Object.keys(services).flatMap(networksOf))].toSorted()).toEqual(Object.keys(mapOf(compose.networks)).toSorted())
    const [subnet] = mapOf(mapOf(mapOf(compose.networks)[proxyNetwork]).ipam).config as readonly Yaml[]
    expect(envOfNode().TRUSTED_PROXIES).toEqual([expanded(mapOf(subnet).subnet)])
  })

  test('is killed no earlier than 20 s after its drain, as docs/many-nodes.md requires', () => {
    expect(envOfNode().DRAIN_SECONDS).toBeGreaterThan(3)
    const longest = readEnv({ DRAIN_SECONDS: '300' }).DRAIN_SECONDS
    expect(() => readEnv({ DRAIN_SECONDS: String(longest + 1) })).toThrow('DRAIN_SECONDS')
    expect(seconds(service(NODE).stop_grace_period)).toBeGreaterThanOrEqual(longest + 20)
  })
})

test('every variable of compose.yaml is documented, and deploy/sample.env has no others', () => {
  const used = new Set([...read('compose.yaml').matchAll(VARIABLE)].map(([, name = '']) => name))
  expect(Object.keys(REQUIRED).filter((name) => !used.has(name))).toEqual([])
  const explained = ['.env.example', 'deploy/sample.env', 'docs/operating.md'].map(read).join('\n')
  const documented = (name: string) => new RegExp(String.raw`\b${name}\b`).test(explained)
  expect([...used].filter((name) => !documented(name.replace(/_FILE$/, '')))).toEqual([])
  const offered = [...read('deploy/sample.env').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name)
  expect(offered.filter((name) => !used.has(name))).toEqual([])
})

describe('the image', () => {
  test('exposes the ports that a node listens on', () => {
    const exposed = /^EXPOSE (.+)$/m.exec(dockerfile)?.[1]?.split(' ').map(Number)
    for (const name of NODES) {
      const { PORT, MASTERLIST_PORT, HOST } = envOfNode(name)
      expect([exposed, HOST]).toEqual([[PORT, MASTERLIST_PORT], '::'])
    }
  })

  test('starts the program as npm start does', () => {
    const args = argumentsOf(/^CMD (\[.+\])$/m)
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
    expect(scripts.start).toBe(`exec ${args.join(' ')} --npm=$PPID`)
    const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '))
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(copied).toContain(args.find((word) => word.endsWith('.ts'))?.split('/')[0])
  })

  test('checks health at an existing path, and fails on a 503 and without a response', async () => {
    const [node, ...args] = argumentsOf(/^HEALTHCHECK [^[]+CMD (\[.+\])$/m)
    expect(node).toBe('node')
    let status = 200
    const used: string[] = []
    const server = createServer((request, response) => {
      used.push(request.url ?? '')
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const exitOf = async () => {
      const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' })
      return ((await once(child, 'exit')) as [number])[0]
    }
    expect(await exitOf()).toBe(0)
    status = 503
    expect(await exitOf()).toBe(1)
    server.close()
    expect(await exitOf()).toBe(1)
    expect(await statusesOf(used)).toEqual([200, 200])
    // Without PORT it uses the default of the program.
    expect(args.at(-1)).toContain(`process.env.PORT ?? ${readEnv({}).PORT})`)
  })
})

/** The statuses of these health paths. */
async function statusesOf(paths: readonly string[]): Promise<number[]> {
  const app = fastify()
  serveHealth(app, { readinessProblem: async () => undefined, metrics: new Registry(), metricsToken: undefined, isProduction: false })
  onTestFinished(() => app.close())
  return await Promise.all(paths.map(async (url) => (await app.inject({ url })).statusCode))
}

describe('the proxy', () => {
  test('forwards the panel and the list to the right port of every node', () => {
    const { PANEL_NODES, LIST_NODES } = environmentOf(PROXY)
    const { PORT, MASTERLIST_PORT } = envOfNode()
    expect(PANEL_NODES?.split(' ')).toEqual(NODES.map((name) => `${name}:${PORT}`))
    expect(LIST_NODES?.split(' ')).toEqual(NODES.map((name) => `${name}:${MASTERLIST_PORT}`))
    for (const [, upstream = ''] of read('deploy/sample.env').matchAll(/^#?PANEL_NODES=(.+)$/gm))
      expect(PANEL_NODES?.split(' ')).toContain(upstream)
    for (const name of Object.keys(mapOf(service(PROXY).depends_on))) expect(NODES).toContain(name)
  })

  test('gets exactly the variables of its Caddyfile, with the public URLs of the nodes', () => {
    const used = new Set([...caddyfile.matchAll(/\{\$(\w+)/g)].map(([, name = '']) => name))
    const environment = environmentOf(PROXY)
    // Its admin endpoint keeps the default.
    expect([...used].filter((name) => name !== 'CADDY_ADMIN').toSorted()).toEqual(Object.keys(environment).toSorted())
    const { PUBLIC_URL, MASTERLIST_PUBLIC_URL } = envOfNode()
    expect([environment.PANEL_SITE, environment.LIST_SITE]).toEqual([PUBLIC_URL, MASTERLIST_PUBLIC_URL])
    expect(textsOf(service(PROXY).ports).map((port) => expanded(port))).toEqual(['0.0.0.0:80:80', '0.0.0.0:443:443', '0.0.0.0:443:443/udp'])
  })

  test('has no other upstreams, and checks their health at existing paths', async () => {
    const upstreams = [...caddyfile.matchAll(/^\s*reverse_proxy (?:@\w+ )?(.+) \{$/gm)].map(([, to = '']) => to)
    expect(upstreams.length).toBeGreaterThan(0)
    expect(upstreams.filter((to) => !/^\{\$(?:PANEL|LIST)_NODES:[\d.: ]+\}$/.test(to))).toEqual([])
    const probes = [...caddyfile.matchAll(/health_uri (\S+)/g)].map(([, path = '']) => path)
    expect(probes.toSorted()).toEqual(['/healthz', '/readyz'])
    expect(await statusesOf(probes)).toEqual([200, 200])
  })

  test('returns 404 for /metrics and /metrics/ on both sites', async () => {
    const kept = /@private path (.+)\n\s*respond @private 404/.exec(caddyfile)?.[1]?.split(' ') ?? []
    expect(kept.toSorted()).toEqual(['/metrics', '/metrics/'])
    expect(await statusesOf(['/metrics'])).toEqual([200])
    const sites = [...caddyfile.matchAll(/^\{\$\w+_SITE:\S+\} \{\n\timport private\n/gm)]
    expect(sites).toHaveLength(2)
  })
})
