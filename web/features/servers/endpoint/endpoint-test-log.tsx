import { CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { EndpointTestEvent } from '#contract/servers/endpoint.ts'
import { m } from '#messages'
import { type Check, CheckList } from '#web/features/servers/connect/check-list.tsx'
import { hoursText, useNow } from '#web/lib/time.ts'
import { ErrorNote } from '#web/ui/states.tsx'
import { type EndpointTest, isDone, useIsLost } from './endpoint-test.ts'
import { failureText } from './failures.ts'

interface EndpointTestLogProps {
  test: EndpointTest
  /** What the server names; empty for its own address. */
  host: string
}

/** The steps of a test as they happen, and its result. Its room is reserved, so that they move nothing. */
export function EndpointTestLog({ test, host }: EndpointTestLogProps) {
  const isLost = useIsLost(test)
  const checks = useChecks(test)
  const result = isDone(test) ? resultOf(test.steps, host) : undefined
  if (test.problem !== undefined) return <ErrorNote className="mt-4">{test.problem}</ErrorNote>
  return (
    <div
      role="group"
      aria-label={m.servers_reach_test()}
      className="mt-4 min-h-52 rounded-6 bg-surface-2 px-4 pt-1 pb-4 text-13 sm:min-h-44"
    >
      <CheckList checks={checks} />
      <div role="status" className="mt-3">
        {result && <Result {...result} />}
        {result === undefined && (isLost ? <Result tone="warn" text={m.servers_reach_test_lost()} /> : <Running test={test} />)}
      </div>
    </div>
  )
}

/** For screen readers, which don't see the spinner. */
function Running({ test }: { test: EndpointTest }) {
  const isWaiting = test.steps.at(-1)?.step === 'wait'
  return <span className="sr-only">{isWaiting ? m.servers_reach_test_wait() : m.servers_reach_test_running()}</span>
}

function useChecks({ steps, at }: EndpointTest): Check[] {
  const now = useNow()
  const newest = steps.at(-1)
  const wait = steps.findLast(({ step }) => step === 'wait')
  const resolve = steps.find(({ step }) => step === 'resolve')
  const isOver = newest?.step === 'done'
  const checks: Check[] = []
  if (wait) {
    const seconds = Math.max(0, Math.ceil(wait.seconds - (now - at) / 1000))
    const isWaiting = newest === wait
    const note = isWaiting && m.servers_reach_test_next({ time: hoursText(seconds / 3600) })
    checks.push({ state: isWaiting ? 'current' : 'done', text: m.servers_reach_test_wait(), ...(note && { note }) })
  }
  if (!resolve) {
    const isWaiting = newest !== undefined && newest === wait
    if (!isOver) checks.push({ state: isWaiting ? 'pending' : 'current', text: m.servers_reach_test_resolve() })
    return checks
  }
  if (resolve.result !== '') return [...checks, { state: 'failed', text: m.servers_reach_test_resolve() }]
  checks.push({ state: 'done', text: m.servers_reach_test_resolved({ addresses: resolve.addresses.join(', ') }) })
  return [...checks, ...resolve.addresses.map((address) => addressCheck(steps, address, isOver))]
}

function addressCheck(steps: readonly EndpointTestEvent[], address: string, isOver: boolean): Check {
  const of = (name: EndpointTestEvent['step']) => steps.find((each) => each.step === name && each.address === address)
  const answer = of('answer')
  if (answer?.result === 'answered') return { state: 'done', text: m.servers_reach_test_answered({ address }) }
  if (answer?.result === 'inconclusive') return { state: 'pending', text: m.servers_reach_test_unclear({ address }) }
  if (answer) return { state: 'failed', text: m.servers_reach_test_failed({ address }) }
  return { state: of('ask') && !isOver ? 'current' : 'pending', text: m.servers_reach_test_ask({ address }) }
}

type Tone = 'ok' | 'warn' | 'danger'

function resultOf(steps: readonly EndpointTestEvent[], host: string): { tone: Tone; text: string; note?: string | undefined } {
  const results = steps.filter(({ step }) => step === 'resolve' || step === 'answer').map(({ result }) => result)
  const answered = results.filter((result) => result === 'answered').length
  const failure = results.find((result) => result !== '' && result !== 'answered' && result !== 'inconclusive')
  if (failure === undefined)
    return answered > 0 ? { tone: 'ok', text: m.servers_reach_test_passed() } : { tone: 'warn', text: m.servers_reach_test_inconclusive() }
  if (answered > 0) return { tone: 'warn', text: m.servers_reach_test_some() }
  return { tone: 'danger', text: failureText(failure, host), note: host === '' ? m.servers_reach_test_direct() : undefined }
}

const MARKS = {
  ok: <CircleCheck size={18} className="shrink-0 text-ok" aria-hidden="true" />,
  warn: <CircleAlert size={18} className="shrink-0 text-warn" aria-hidden="true" />,
  danger: <CircleX size={18} className="shrink-0 text-danger" aria-hidden="true" />,
}

function Result({ tone, text, note }: { tone: Tone; text: ReactNode; note?: ReactNode }) {
  return (
    <div className="flex gap-3 border-t border-line pt-3">
      {MARKS[tone]}
      <p className="min-w-0 text-pretty">
        <span className="font-medium">{text}</span> {note}
      </p>
    </div>
  )
}
