import { Server, Timer } from 'lucide-react'
import type { Status } from '#contract/status/status.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { CardCount, ListCard } from '#web/ui/card.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { secondsText } from './seconds-text.ts'
import { Advice, DocsIcon, StateIcon } from './state-marks.tsx'

export function NodesCard({ nodes }: Pick<Status, 'nodes'>) {
  return (
    <ListCard id="nodes" title={m.installation_nodes()} aside={<CardCount>{formatNumber(nodes.length)}</CardCount>}>
      <ul className="divide-y divide-line">
        {nodes.map((node) => (
          <NodeRow key={node.id} node={node} />
        ))}
      </ul>
    </ListCard>
  )
}

function NodeRow({ node }: { node: Status['nodes'][number] }) {
  const { release, schema_level: level, clock_offset_seconds: offset, list_age_seconds: age, servers_online: servers } = node
  const facts = [
    { label: m.installation_release(), value: release, detail: level === null ? '' : m.installation_schema({ level }) },
    { label: m.installation_since(), value: <TimeAgo at={node.started_at} /> },
    { label: m.installation_heartbeat(), value: <TimeAgo at={node.heartbeat_at} /> },
    { label: m.installation_clock(), value: offset === null ? null : offsetText(offset) },
    { label: m.installation_list_age(), value: age === null ? null : secondsText(age) },
    { label: m.installation_servers_online(), value: servers === null ? null : formatNumber(servers) },
  ]
  return (
    <li className="px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h3 className="flex min-w-0 flex-1 items-center gap-2 font-medium">
          <StateIcon state={node.state} />
          <span className="min-w-0 break-all">{node.name}</span>
        </h3>
        <span className="flex flex-wrap items-center gap-2 empty:hidden max-sm:order-last max-sm:basis-full">
          {node.is_this_node && (
            <Pill tone="info" icon={Server}>
              {m.installation_node_this()}
            </Pill>
          )}
          {node.runs_jobs && (
            <Pill tone="neutral" icon={Timer}>
              {m.installation_runs_jobs()}
            </Pill>
          )}
        </span>
        <DocsIcon guide={node.guide} />
      </div>
      <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 text-13 sm:grid-cols-3 min-[1300px]:grid-cols-6">
        {facts.map(({ label, value, detail }) => (
          <div key={label}>
            <dt className="text-ink-3">{label}</dt>
            <dd className="break-words text-ink-1 tabular-nums">
              {value ?? m.installation_unknown()}
              {detail !== undefined && detail !== '' && <span className="block text-12 text-ink-3">{detail}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <Advice finding={node} className="mt-3" />
    </li>
  )
}

/** `±0 ms`: where the clocks agree. */
const offsetText = (seconds: number) => `${seconds === 0 ? '±' : seconds > 0 ? '+' : ''}${secondsText(seconds)}`
