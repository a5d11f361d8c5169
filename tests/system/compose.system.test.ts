/** Checks that compose.yaml, the Dockerfile and the Caddyfile match the program, without running them. */
import { describe, expect, test } from 'vitest'
import { Variables, readEnv } from '#backend/platform/env.ts'
import {
  read,
  type Yaml,
  mapOf,
  textOf,
  textsOf,
  compose,
  services,
  service,
  REQUIRED,
  VARIABLE,
  expanded,
  environmentOf,
  NODES,
  POSTGRES,
  PROXIES,
  NODE,
  imageVariables,
  envOfNode,
  seconds,
  DATABASE,
  PROXY,
} from './compose-file.ts'

/** Variables that compose.yaml sets itself: its services depend on them, or it computes them from others. */
const OWN = new Set([
  'NODE_ENV',
  'PORT',
  'MASTERLIST_PORT',
  'HOST',
  'DATA_DIR',
  'BACKUP_DIR',
  'DATABASE_URL',
  'PUBLIC_URL',
  'MASTERLIST_PUBLIC_URL',
  'TRUSTED_PROXIES',
  'DRAIN_SECONDS',
])

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

  test.each(NODES)('%s gets the providers of OpenID Connect, whose names are the operator’s, from a file that may be missing', (name) => {
    expect(service(name).env_file).toEqual([{ path: 'oidc.env', required: 'false' }])
    // A variable of `environment` would replace that of the file.
    expect(Object.keys(mapOf(service(name).environment)).filter((variable) => variable.startsWith('OIDC_'))).toEqual([])
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
