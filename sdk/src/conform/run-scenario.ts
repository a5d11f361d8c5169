/** Runs one scenario against one process of the announcer. */
import { createServer } from 'node:net'
import type { Family } from '../types.ts'
import { AnnouncerProcess, type Exit } from './announcer-process.ts'
import { type Answer, GOODBYE, PUBLIC_ID, accepted, verdict } from './answers.ts'
import { createCredential } from './credential.ts'
import { LOOPBACK, dualStackName } from './dual-stack.ts'
import { FakeList, type Seen } from './fake-list.ts'
import {
  type Failure,
  type Settings,
  deadlineAfter,
  firstDeadline,
  judgeOutput,
  judgeRedirects,
  judgeScenario,
  judgeRequest,
  judgeRequests,
  secondsText,
} from './judge.ts'
import { askProbes } from './probes.ts'
import type { Scenario } from './scenario.ts'

const GOODBYE_MS = 8000
const END_MS = 10_000
/** Requests that are still on their way when the program ends. */
const SETTLE_MS = 200

export interface Result {
  readonly scenario: Scenario
  readonly seconds: number
  /** At most one for each rule. */
  readonly failures: readonly Failure[]
  readonly wire: readonly string[]
  readonly output: string
  /** Why it did not run; undefined if it did. */
  readonly skipped?: string
}

export async function runScenario(scenario: Scenario, command: readonly string[]): Promise<Result> {
  const { downAtStartMs, urlSuffix = '', host, probe, families = [], probes = [] } = scenario
  const settings: Settings = {
    credential: createCredential(PUBLIC_ID),
    port: await freePort(),
    maxPlayers: 32 + Math.floor(Math.random() * 100),
    host,
    probe,
  }
  const elsewhere = new FakeList(() => accepted(2))
  const list = new FakeList(
    (method, index, family) => answerOf(scenario, method, index, family, elsewhere.url),
    (request) => verdictOn(request, settings),
    families.length > 0 ? await dualStackName() : LOOPBACK[4],
    listFamiliesOf(scenario),
  )
  await Promise.all([list.open(downAtStartMs !== undefined), elsewhere.open()])
  const announcer = new AnnouncerProcess(command, {
    MUSTER_URL: list.url + urlSuffix,
    MUSTER_CREDENTIAL: settings.credential,
    PORT: String(settings.port),
    MAX_PLAYERS: String(settings.maxPlayers),
    MUSTER_HOST: host ?? '',
    MUSTER_PROBE: probe ?? '',
    MUSTER_FAMILIES: families.join(),
    // Many agents run at once.
    AGENT_PORT: '0',
    AGENT_PROBES: probes.length > 0 ? 'on' : 'off',
  })
  void announcer.exited.then(() => list.wake())
  if (downAtStartMs !== undefined) void list.goDown(downAtStartMs)
  const failures: Failure[] = []
  const startedAt = list.now
  try {
    failures.push(...(await play(scenario, settings, list, announcer)))
  } finally {
    announcer.kill()
    await Promise.all([list.close(), elsewhere.close()])
  }
  failures.push(
    ...judgeRequests(list.seen, settings),
    ...judgeScenario(list.seen, scenario),
    ...judgeRedirects(elsewhere.seen, settings.credential),
    ...judgeOutput(announcer.output, list.announces, settings.credential),
  )
  const hide = (text: string) => text.replaceAll(settings.credential, 'mst_…')
  return {
    scenario,
    seconds: (list.now - startedAt) / 1000,
    failures: failures.filter(({ rule }, index) => failures.findIndex((other) => other.rule === rule) === index),
    wire: list.seen.map((request) => hide(wireLine(request))),
    output: hide(announcer.output),
  }
}

const listFamiliesOf = ({ families, listFamilies = families === undefined ? [4] : [4, 6] }: Scenario) => listFamilies

/** What the list answers, by the scenario. @param elsewhere the address of redirects */
function answerOf(scenario: Scenario, method: string, index: number, family: Family, elsewhere: string): Answer {
  const { answers, answersOver6 = answers, goodbye = GOODBYE } = scenario
  const planned = family === 6 ? answersOver6 : answers
  const answer = method === 'DELETE' ? goodbye : (planned[Math.min(index, planned.length - 1)] ?? GOODBYE)
  return answer.isRedirect === true ? { ...answer, headers: { Location: `${elsewhere}/announce` } } : answer
}

/** Plays the scenario until the announcer ends. Returns what went wrong meanwhile. */
async function play(scenario: Scenario, settings: Settings, list: FakeList, announcer: AnnouncerProcess): Promise<Failure[]> {
  const { families, watchSeconds = 0, probes = [] } = scenario
  const heard = listFamiliesOf(scenario).filter((family) => families?.includes(family) ?? true)
  const failures = (await Promise.all(heard.map((family) => awaitAnnounces(scenario, family, list, announcer)))).flat()
  if (failures.length === 0 && !list.announces.some(({ answer }) => answer.isVerdict)) {
    await waitUntil(list, announcer, list.now + watchSeconds * 1000, () => false)
    failures.push(...(announcer.exit === undefined ? await askProbes(probes, settings) : [ended(announcer.exit, list, scenario)]))
  }
  return [...failures, ...(await stop(scenario, list, announcer))]
}

/** How a master list rejects a wrong request; undefined for a correct one. */
export function verdictOn(request: Seen, settings: Settings): Answer | undefined {
  for (const { code } of judgeRequest(request, settings)) if (code !== undefined) return verdict(code)
  return undefined
}

/** Waits for the announces of the scenario over a family, or until one is rejected for what it is. Returns what was missing. */
async function awaitAnnounces(scenario: Scenario, family: Family, list: FakeList, announcer: AnnouncerProcess): Promise<Failure[]> {
  const { announces, announcesOver6 = announces } = scenario
  const total = family === 6 ? announcesOver6 : announces
  const received = () => list.announces.filter((announce) => announce.family === family)
  for (let count = 1; count <= total; count += 1) {
    const previous = received()[count - 2]
    const { at, rule } = previous === undefined ? firstDeadline(scenario) : deadlineAfter(previous)
    await waitUntil(list, announcer, at, () => received().length >= count)
    if (announcer.exit !== undefined) return [ended(announcer.exit, list, scenario)]
    if (received().length < count) {
      if (previous !== undefined) return [{ rule, seen: missingAfter(previous, at) }]
      const isOther = list.announces.length > 0
      return [{ rule: isOther ? 'families' : rule, seen: `no announce${isOther ? ` over IPv${family}` : ''} in ${secondsText(at)}` }]
    }
    const newest = received()[count - 1]
    const waitsForReply = !(scenario.signalsInFlight === true && count === total)
    if (waitsForReply && newest?.answer.breaks !== 'never')
      await waitUntil(list, announcer, list.now + END_MS, () => newest?.answeredAt !== undefined)
    if (newest?.answer.isVerdict === true) return []
  }
  return []
}

const missingAfter = (previous: Seen, at: number) =>
  `no announce in the ${secondsText(at - (previous.answeredAt ?? previous.at))} after the reply "${previous.answer.text}"`

function ended({ code, signal }: Exit, list: FakeList, { downAtStartMs }: Scenario): Failure {
  if (code === null && signal === null) return { rule: 'first-announce', seen: 'the program could not be started' }
  const how = `with ${signal ?? `exit code ${code}`} after ${secondsText(list.now)}`
  if (list.seen.length > 0) return { rule: 'stays-alive', seen: `the program ended ${how}` }
  const seen = `the program ended before its first announce, ${how}`
  return downAtStartMs === undefined ? { rule: 'first-announce', seen } : { rule: 'stays-alive', seen: `${seen}, while the list was down` }
}

/** Sends the signal, and waits for the end. */
async function stop(scenario: Scenario, list: FakeList, announcer: AnnouncerProcess): Promise<Failure[]> {
  if (announcer.exit !== undefined) return []
  const { signal = 'SIGTERM', isDownAtEnd = false } = scenario
  const isOnline = list.announces.some(({ answer, answeredAt }) => answer.expected.kind === 'interval' && answeredAt !== undefined)
  if (isDownAtEnd) await list.close()
  const signalledAt = list.now
  announcer.signal(signal)
  while (announcer.exit === undefined && list.now < signalledAt + END_MS) await list.nextEvent(signalledAt + END_MS - list.now)
  const failures: Failure[] = []
  if (announcer.exit === undefined) failures.push({ rule: 'ends', seen: `still running ${secondsText(END_MS)} after ${signal}` })
  await list.nextEvent(SETTLE_MS)
  const [goodbye] = list.goodbyes
  if (!isOnline || isDownAtEnd) return failures
  if (goodbye === undefined) failures.push({ rule: 'goodbye', seen: `no DELETE /announce after ${signal}` })
  else if (goodbye.at - signalledAt > GOODBYE_MS)
    failures.push({ rule: 'goodbye', seen: `DELETE /announce came ${secondsText(goodbye.at - signalledAt)} after ${signal}` })
  return failures
}

/** Waits until a condition holds, the program ends, or the time comes. */
async function waitUntil(list: FakeList, announcer: AnnouncerProcess, at: number, isDone: () => boolean): Promise<void> {
  while (!isDone() && announcer.exit === undefined && list.now < at) await list.nextEvent(at - list.now)
}

function wireLine({ at, family, method, path, body, answer, answeredAt }: Seen): string {
  const reply = answeredAt === undefined ? 'no reply yet' : `${secondsText(answeredAt)}: ${answer.text}`
  return `${secondsText(at)}: ${family === 6 ? 'IPv6: ' : ''}${method} ${path} ${body.slice(0, 300)} -> ${reply}`
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
