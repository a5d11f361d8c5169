/** Announces until it is stopped, or until the game server of `--exec` ends. */
import type { Server } from 'node:http'
import { Announcer } from '../announcer.ts'
import { startGame } from './game-process.ts'
import { serveLocalApi } from './local-api.ts'
import { type Health, log } from './log.ts'
import { describeOutage, describeRejection, lineOf } from './problem.ts'
import { type AgentSettings, EXIT } from './settings.ts'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Resolves to the exit code. */
export async function runAgent({ url, credential, state, families, command, agentPort, probes }: AgentSettings): Promise<number> {
  const server = new Announcer({ ...state, url, credential, families, probes, signals: false, keepAlive: true, quiet: true })
  const health = watch(server)
  let api: Server
  try {
    api = await serveLocalApi(agentPort, server, health)
  } catch (error) {
    log(`AGENT_PORT ${agentPort} cannot be used: ${(error as Error).message}. Set AGENT_PORT to another port, or to 0 for any free port.`)
    await server.stop()
    return EXIT.portInUse
  }
  const address = api.address()
  if (typeof address === 'object' && address !== null) log(`POST /state, POST /probe and GET /health are on 127.0.0.1:${address.port}`)
  const game = command.length > 0 ? startGame(command, (message) => log(`the game server could not be started: ${message}`)) : undefined
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of STOP_SIGNALS)
      process.on(signal, () => {
        game?.signal(signal)
        resolve(signal)
      })
  })
  const cause = await Promise.race([stopped, ...(game === undefined ? [] : [game.exitCode])])
  log(typeof cause === 'string' ? `${cause}: leaving the list` : `the game server ended with exit code ${cause}: leaving the list`)
  await server.stop()
  const exitCode = (await game?.exitCode) ?? 0
  api.close()
  api.closeAllConnections()
  return exitCode
}

/** Logs what the list says. Returns the current health. */
function watch(server: Announcer): () => Health {
  let health: Health = { status: 'starting', code: '', message: '', remedy: '' }
  server
    .on('accepted', ({ listed }) => {
      health = { status: listed ? 'listed' : 'unlisted', code: '', message: '', remedy: '' }
    })
    .on('listed', ({ publicId }) => log(`${publicId} is on the list`))
    .on('unlisted', ({ publicId }) => log(`${publicId} is accepted, but not on the list`))
    .on('notice', (notice) => log(lineOf(notice)))
    .on('cleared', ({ code }) => log(`${code} no longer applies`))
    .on('rejected', ({ isRepeat, retrySeconds, ...rejection }) => {
      const problem = describeRejection(rejection)
      health = { status: 'rejected', ...problem }
      if (!isRepeat) log(`rejected, next attempt in ${retrySeconds} s. ${lineOf(problem)}`)
    })
    .on('offline', ({ retrySeconds, ...outage }) => {
      const problem = describeOutage(outage)
      health = { status: 'offline', ...problem }
      log(`offline, next attempt in ${retrySeconds} s. ${lineOf(problem)}`)
    })
    .on('recovered', () => log('the list accepts announces again'))
  return () => health
}
