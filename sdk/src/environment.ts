/** The four settings that the SDK, the agent and the examples read from the environment. */
import type { AnnounceOptions } from './types.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const VARIABLES = { url: 'MUSTER_URL', credential: 'MUSTER_CREDENTIAL', port: 'PORT', maxPlayers: 'MAX_PLAYERS' } as const

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
  return {
    options: { ...given, url, credential, ...(port !== undefined && { port }), ...(maxPlayers !== undefined && { maxPlayers }) },
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
