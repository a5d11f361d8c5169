/** Runs a program of the lab in its namespace: `run-program.ts NAME OPTIONS`. It ends when the test does. */
import { gameServer } from './game-server.ts'
import { nameServer, tcpTunnel, udpPlayer, udpTunnel } from './network-programs.ts'

const PROGRAMS = { gameServer, nameServer, tcpTunnel, udpPlayer, udpTunnel } as const

export type ProgramName = keyof typeof PROGRAMS
export type ProgramOptions<Name extends ProgramName> = Parameters<(typeof PROGRAMS)[Name]>[0]

const [name, options = ''] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const program = PROGRAMS[name as ProgramName] as (parsed: unknown) => Promise<unknown>
await program(JSON.parse(options))
process.send?.('ready')
