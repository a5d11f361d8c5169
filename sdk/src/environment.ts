/** The settings that the SDK, the agent and the examples read from the environment. */
import type { AnnounceOptions, Family, Probe } from './types.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const VARIABLES = {
  url: 'MUSTER_URL',
  credential: 'MUSTER_CREDENTIAL',
  host: 'MUSTER_HOST',
  port: 'PORT',
  probe: 'MUSTER_PROBE',
  families: 'MUSTER_FAMILIES',
  maxPlayers: 'MAX_PLAYERS',
} as const

/** The environment of this program. Empty in browsers, and in Deno without the permission. */
function environment(): Environment {
  try {
    return { ...process.env }
  } catch {
    return {}
  }
}

export const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text.trim() === '' ? undefined : Number(text)

/** The families of a text such as `4,6`; none if it is empty. */
export const familiesOf = (text = ''): readonly Family[] =>
  text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => Number(part) as Family)

/** What is wrong with the families. */
export function faultsOfFamilies(families: unknown): string[] {
  const isValid = Array.isArray(families) && families.every((family) => family === 4 || family === 6)
  return isValid ? [] : ['families must be 4, 6 or 4,6.']
}

/** Completes the options from the environment. `name` gives a wrong setting the name of its variable, if it comes from there. */
export function readOptions(options: unknown): {
  readonly options: Partial<AnnounceOptions>
  readonly name: (fault: string) => string
} {
  const given = { ...(options as Partial<AnnounceOptions> | undefined) }
  const env = environment()
  const fromEnv: Record<string, string> = {}
  for (const [option, variable] of Object.entries(VARIABLES))
    if (given[option as keyof typeof VARIABLES] === undefined) fromEnv[option] = variable
  const { url = env['MUSTER_URL'], credential = env['MUSTER_CREDENTIAL'] } = given
  const { port = numberOf(env['PORT']), maxPlayers = numberOf(env['MAX_PLAYERS']) } = given
  const {
    host = env['MUSTER_HOST']?.trim(),
    probe = env['MUSTER_PROBE']?.trim() as Probe,
    families = familiesOf(env['MUSTER_FAMILIES']),
  } = given
  return {
    options: {
      ...given,
      url,
      credential,
      host,
      probe,
      families,
      ...(port !== undefined && { port }),
      ...(maxPlayers !== undefined && { maxPlayers }),
    },
    name: (fault) => nameVariable(fault, fromEnv, env),
  }
}

/** Replaces a setting's name by that of its variable, and says so if that is not set. @param variables by setting */
export function nameVariable(fault: string, variables: Readonly<Record<string, string>>, env: Environment): string {
  const [, name = '', rest = ''] = /^(\w+) (.*)$/.exec(fault) ?? []
  const variable = variables[name]
  if (variable === undefined) return fault
  return `${variable} ${(env[variable] ?? '').trim() === '' ? 'is not set. It ' : ''}${rest}`
}
