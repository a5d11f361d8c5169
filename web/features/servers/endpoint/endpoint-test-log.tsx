import type { EndpointTestEvent, ServerEndpoint } from '#contract/servers/endpoint.ts'
import type { ProofFailure } from '#contract/servers/probes.ts'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { type Check, CheckList } from '#web/features/servers/connect/check-list.tsx'
import { hoursText, useNow } from '#web/lib/time.ts'
import { ErrorNote } from '#web/ui/states.tsx'
import { type EndpointTest, isDone, resultsOf, useIsLost } from './endpoint-test.ts'
import { FailureNote, failureText } from './failures.tsx'
import { type State, StateLine } from './state-line.tsx'

interface EndpointTestLogProps {
  server: Pick<Server, 'public_id'>
  endpoint: ServerEndpoint
  test: EndpointTest
  /** What the server names; empty for its own address. */
  host: string
}

/** The steps of a test as they happen, and its result. The rows are there from the start, so that they move nothing. */
export function EndpointTestLog({ test, host, ...of }: EndpointTestLogProps) {
  const isLost = useIsLost(test)
  const checks = useChecks(test, host || of.endpoint.sources.join(', '))
  if (test.problem !== undefined) return <ErrorNote className="mt-4">{test.problem}</ErrorNote>
  return (
    <div role="group" aria-label={m.servers_reach_test()} className="mt-4 rounded-6 bg-surface-2 px-4 pt-1 pb-3 text-13">
      <CheckList checks={checks} />
      <div role="status" className="mt-3 min-h-18 border-t border-line pt-3 sm:min-h-13">
        <StateLine key={String(isDone(test))} {...resultOf({ test, host, isLost, ...of })} />
      </div>
    </div>
  )
}

/** @param target what is checked, until its addresses are known */
function useChecks({ steps, at }: EndpointTest, target: string): Check[] {
  const now = useNow()
  const newest = steps.at(-1)
  const wait = steps.findLast(({ step }) => step === 'wait')
  const resolve = steps.find(({ step }) => step === 'resolve')
  const isOver = newest?.step === 'done'
  const isWaiting = newest !== undefined && newest === wait
  const checks: Check[] = []
  if (wait) {
    const seconds = Math.max(0, Math.ceil(wait.seconds - (now - at) / 1000))
    const text = isWaiting ? m.servers_reach_test_next({ time: hoursText(seconds / 3600) }) : m.servers_reach_test_wait()
    checks.push({ state: isWaiting ? 'current' : 'done', text })
  }
  if (!resolve) {
    if (isOver) return checks
    checks.push({ state: isWaiting ? 'pending' : 'current', text: m.servers_reach_test_resolve() })
    return [...checks, { state: 'pending', text: m.servers_reach_test_ask({ address: target }) }]
  }
  if (resolve.result !== '') return [...checks, { state: 'failed', text: m.servers_reach_test_resolve() }]
  checks.push({ state: 'done', text: m.servers_reach_test_resolved({ addresses: resolve.addresses.join(', ') }) })
  return [...checks, ...resolve.addresses.map((address) => addressCheck(steps, address, isOver))]
}

/** Of one address. Names are never asked, so the other failures are of the step before. */
const STEP_FAILURES: Readonly<Partial<Record<ProofFailure, typeof m.servers_reach_test_refused>>> = {
  REFUSED: m.servers_reach_test_refused,
  TIMEOUT: m.servers_reach_test_timeout,
  UNREACHABLE: m.servers_reach_test_unreachable,
}

function addressCheck(steps: readonly EndpointTestEvent[], address: string, isOver: boolean): Check {
  const of = (name: EndpointTestEvent['step']) => steps.find((each) => each.step === name && each.address === address)
  const result = of('answer')?.result ?? ''
  if (result === 'answered') return { state: 'done', text: m.servers_reach_test_answered({ address }) }
  if (result === 'inconclusive') return { state: 'pending', text: m.servers_reach_test_unclear({ address }) }
  if (result !== '') return { state: 'failed', text: (STEP_FAILURES[result] ?? m.servers_reach_test_wrong)({ address }) }
  return { state: of('ask') && !isOver ? 'current' : 'pending', text: m.servers_reach_test_ask({ address }) }
}

function resultOf({ test, isLost, host, endpoint: { probe }, server }: EndpointTestLogProps & { isLost: boolean }): State {
  if (!isDone(test)) {
    if (isLost) return { tone: 'warn', text: m.servers_reach_test_lost() }
    return { tone: 'neutral', text: test.steps.at(-1)?.step === 'wait' ? m.servers_reach_test_wait() : m.servers_reach_test_running() }
  }
  const { isAnswering, failure } = resultsOf(test)
  if (failure === undefined)
    return isAnswering ? { tone: 'ok', text: m.servers_reach_test_passed() } : { tone: 'warn', text: m.servers_reach_test_inconclusive() }
  if (isAnswering) return { tone: 'warn', text: m.servers_reach_test_some() }
  return { tone: 'danger', text: failureText(failure, host), note: <FailureNote {...{ server, failure, host, probe }} /> }
}
