import { useId } from 'react'
import { m } from '#messages'
import { Field } from '#web/ui/form/fields.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { Choice } from './choice.tsx'
import { parseHost, type Route } from './route.ts'

interface RouteQuestionProps {
  route: Route
  onChoose: (route: Route) => void
}

/** Asks how players reach the server, because a tunnel or a proxy must be named in its announces. */
export function RouteQuestion({ route, onChoose }: RouteQuestionProps) {
  const name = useId()
  const kinds = [
    { key: 'direct', label: m.servers_route_direct() },
    { key: 'tunnel', label: m.servers_route_tunnel() },
    { key: 'unknown', label: m.servers_route_unknown() },
  ] as const
  return (
    <div className="space-y-3 border-b border-line pb-4">
      <Choice
        title={<span className="text-13 font-medium text-ink-1">{m.servers_route_title()}</span>}
        options={kinds}
        name={name}
        chosen={route.kind}
        onChoose={(kind) => onChoose({ ...route, kind })}
      />
      {route.kind === 'direct' && <p className="text-13 text-pretty text-ink-2">{m.servers_route_direct_hint()}</p>}
      {route.kind === 'tunnel' && (
        <>
          <HostFields route={route} onChoose={onChoose} />
          <p className="text-13 text-pretty text-ink-2">
            <ProbeHint probe={route.probe} />
          </p>
        </>
      )}
      {route.kind === 'unknown' && (
        <ul className="list-disc space-y-1 pl-5 text-13 text-pretty text-ink-2">
          <li>{m.servers_route_unknown_home()}</li>
          <li>{m.servers_route_unknown_tunnel()}</li>
          <li>{m.servers_route_unknown_go_on()}</li>
        </ul>
      )}
    </div>
  )
}

/** What must answer the list's probes. */
function ProbeHint({ probe }: Pick<Route, 'probe'>) {
  if (probe === '') return m.servers_route_choose()
  return (
    <RichText
      message={probe === 'udp' ? m.servers_route_udp : m.servers_route_tcp}
      tags={{ code: (text) => <code className="font-mono text-ink-1">{text}</code> }}
    />
  )
}

const PROTOCOLS = (['tcp', 'udp'] as const).map((key) => ({ key, label: key.toUpperCase() }))

function HostFields({ route, onChoose }: RouteQuestionProps) {
  const name = useId()
  const isWrong = route.host.trim() !== '' && parseHost(route.host) === undefined
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <Field label={m.servers_route_host()} hint={m.servers_route_host_hint()} error={isWrong ? m.servers_route_host_invalid() : undefined}>
        {(control) => (
          <input
            {...control}
            value={route.host}
            onChange={({ target }) => onChoose({ ...route, host: target.value })}
            maxLength={255}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="play.example.com:34567"
            className="field-input font-mono"
          />
        )}
      </Field>
      <Choice
        title={<span className="text-13 font-medium text-ink-1">{m.servers_route_protocol()}</span>}
        options={PROTOCOLS}
        name={name}
        chosen={route.probe}
        onChoose={(probe) => onChoose({ ...route, probe })}
      />
    </div>
  )
}
