/** The files of the deployment, read as Compose reads them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { readEnv } from '#backend/platform/env.ts'

export const root = join(import.meta.dirname, '../..')
export const read = (path: string) => readFileSync(join(root, path), 'utf8')

export type Yaml = string | null | readonly Yaml[] | { readonly [key: string]: Yaml }
export type YamlMap = Readonly<Record<string, Yaml>>

/** Asserts a map. */
export function mapOf(value: Yaml | undefined): YamlMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${JSON.stringify(value)} is not a map.`)
  return value as YamlMap
}

/** Asserts a text. */
export function textOf(value: Yaml | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`${JSON.stringify(value)} is not a text.`)
  return value
}

/** Asserts a list of texts. */
export function textsOf(value: Yaml | undefined): readonly string[] {
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string'))
    throw new TypeError(`${JSON.stringify(value)} is not a list of texts.`)
  return value as readonly string[]
}

// The failsafe schema keeps `8` and `true` as texts.
export const compose = mapOf(parse(read('compose.yaml'), { merge: true, schema: 'failsafe' }) as Yaml)
export const services = mapOf(compose.services)
export const service = (name: string) => mapOf(services[name])
export const dockerfile = read('Dockerfile')
export const caddyfile = read('deploy/Caddyfile')

/** A value for each required variable. */
export const REQUIRED = {
  PANEL_HOST: 'panel.example',
  LIST_HOST: 'list.example',
  POSTGRES_PASSWORD: '0123456789abcdef',
  COOKIE_SECRET: '0123456789abcdef0123456789abcdef',
  DISCORD_CLIENT_ID: '1',
  DISCORD_CLIENT_SECRET: 's',
}

/** `${NAME}`, `${NAME:-else}` and `${NAME:?what to do}`, as compose reads them. */
export const VARIABLE = /\$\{(\w+)(?::([-?])([^}]*))?\}/g

export function expanded(value: Yaml | undefined, variables: Readonly<Record<string, string>> = REQUIRED): string {
  return textOf(value).replaceAll(VARIABLE, (_, name: string, kind: string | undefined, rest: string | undefined) => {
    if (variables[name]) return variables[name]
    if (kind === '?') throw new Error(rest)
    return rest ?? ''
  })
}

export const environmentOf = (name: string) =>
  Object.fromEntries(Object.entries(mapOf(service(name).environment)).map(([variable, value]) => [variable, expanded(value)]))

export const namesWhere = (is: (image: string) => boolean) => Object.keys(services).filter((name) => is(textOf(service(name).image)))
export const NODES = namesWhere((image) => image === 'muster')
export const POSTGRES = namesWhere((image) => image.startsWith('postgres:'))
export const PROXIES = namesWhere((image) => image.startsWith('caddy:'))
export const [NODE = '', DATABASE = '', PROXY = ''] = [NODES[0], POSTGRES[0], PROXIES[0]]

/** The ENV values of the Dockerfile. */
export const imageVariables = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = '']) => pairs.split(' ').map((pair) => pair.split('=') as [string, string])),
)
export const envOfNode = (name = NODE) => readEnv({ ...imageVariables, ...environmentOf(name) })
/** The arguments of a Dockerfile instruction in its JSON form. */
export const argumentsOf = (instruction: RegExp) => JSON.parse(instruction.exec(dockerfile)?.[1] ?? '[]') as string[]
export const seconds = (text: Yaml | undefined) => Number(/^(\d+)s$/.exec(textOf(text))?.[1])
