import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Server, ServerWithCredential } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { NextSteps } from '#web/features/servers/connect/check-list.tsx'
import { CredentialPanel } from '#web/features/servers/connect/connect-guide.tsx'
import { Arrival, FirstAnnounce } from '#web/features/servers/first-announce.tsx'
import { NewServerForm } from '#web/features/servers/new-server-form.tsx'
import { useReissueCredential } from '#web/features/servers/server-mutations.ts'
import { serverOptions } from '#web/features/servers/servers.api.ts'
import { coversServer } from '#web/features/webhooks/webhook-parts.tsx'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { messageOf } from '#web/lib/http/call.ts'
import '#web/ui/mono.css'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { ErrorNote, WarnNote } from '#web/ui/states.tsx'
import { BackLink, PageHeader } from '#web/ui/page-header.tsx'

const STEPS = [m.new_server_step_name(), m.servers_credential_title(), m.new_server_step_announce()] as const

/**
 * Three steps to a listed server. The address has the server and the step, so that both survive a reload. The credential doesn't: stored in
 * the tab, it would be readable for longer than the user needs it, and a new one is a press away.
 */
export function NewServerPage() {
  const { server: serverId, step: stepName, with: chosen } = useSearch({ from: '/member/servers/new' })
  const [created, setCreated] = useState<ServerWithCredential>()
  const [isInAddress, setInAddress] = useState(false)
  const navigate = useNavigate()
  const step = stepOf(serverId, stepName, created !== undefined)
  if (isInAddress !== (serverId !== undefined)) {
    setInAddress(serverId !== undefined)
    // The wizard starts again.
    if (serverId === undefined) setCreated(undefined)
  }
  const credential = serverId === undefined || created?.public_id === serverId ? created : undefined
  const waitingId = step === 2 ? serverId : undefined
  const { data: waitingServer } = useQuery({ ...serverOptions(waitingId ?? ''), enabled: waitingId !== undefined })
  const isListed = step === 2 && waitingServer?.listing.listed === true
  const previousStep = useRef(step)
  // A step change removes the focused button, so the title takes the focus.
  useEffect(() => {
    if (step === previousStep.current) return
    previousStep.current = step
    document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
  }, [step])
  useTitle(isListed ? m.new_server_listed() : step === 2 ? m.new_server_waiting() : m.nav_new_server())

  const open = (id: string, nextStep: 'credential' | undefined) =>
    void navigate({ to: '/servers/new', search: { server: id, step: nextStep, with: chosen }, replace: true, ignoreBlocker: true })
  return (
    <div className={cx('mx-auto', step === 2 ? 'max-w-[1200px]' : 'max-w-[680px]')}>
      <PageHeader title={m.nav_new_server()} above={<BackLink to="/servers">{m.nav_servers()}</BackLink>} />
      <Steps current={isListed ? STEPS.length : step} />
      {waitingId !== undefined ? (
        <WaitingStep id={waitingId} credential={credential?.credential} />
      ) : step === 1 ? (
        <CredentialStep id={serverId} server={credential} onReissued={setCreated} onSaved={(id) => open(id, undefined)} />
      ) : (
        <NewServerForm
          onCreated={(server) => {
            setCreated(server)
            open(server.public_id, 'credential')
          }}
        />
      )}
    </div>
  )
}

/** Until the address has the server, a failed navigation must not lose the credential. */
function stepOf(serverId: string | undefined, stepName: 'credential' | undefined, isCreated: boolean): 0 | 1 | 2 {
  if (serverId === undefined) return isCreated ? 1 : 0
  return stepName === undefined ? 2 : 1
}

function Steps({ current }: { current: number }) {
  return (
    <ol className="mb-6 flex gap-2" aria-label={m.new_server_steps()}>
      {STEPS.map((title, index) => (
        <li
          key={title}
          aria-current={index === current ? 'step' : undefined}
          className={index === current ? 'flex-1 max-sm:flex-[3]' : 'flex-1'}
        >
          <div className={cx('h-[3px] rounded-full', index <= current ? 'bg-accent' : 'bg-line')} />
          <div className={cx('mt-2 flex items-center gap-1.5 text-12', index === current ? 'font-medium text-ink-1' : 'text-ink-3')}>
            {index < current ? (
              <Check size={13} className="shrink-0 text-ok" aria-label={m.new_server_step_done()} role="img" />
            ) : (
              <span>{index + 1}</span>
            )}
            <span className={cx(index !== current && 'max-sm:sr-only')}>{title}</span>
          </div>
        </li>
      ))}
    </ol>
  )
}

interface CredentialStepProps {
  /** In the address. */
  id: string | undefined
  /** Undefined after a reload. */
  server: ServerWithCredential | undefined
  onReissued: (server: ServerWithCredential) => void
  onSaved: (id: string) => void
}

/** The credential is shown once, so only an explicit confirmation continues. */
function CredentialStep({ id = '', server, onReissued, onSaved }: CredentialStepProps) {
  const serverId = server?.public_id ?? id
  return (
    <section aria-label={m.servers_credential_title()} className="card p-5 sm:p-6">
      {server ? <CredentialPanel key={server.credential} server={server} /> : <CredentialGone id={id} onReissued={onReissued} />}
      <div
        data-save-bar
        className="sticky bottom-0 z-10 -mx-5 mt-6 -mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-b-10 border-t border-line bg-surface-1 px-5 py-4 max-sm:py-3 sm:-mx-6 sm:-mb-6 sm:px-6"
      >
        <Button variant="primary" className="w-full sm:w-auto" onClick={() => onSaved(serverId)}>
          {m.servers_credential_saved()}
        </Button>
        <Arrival id={serverId} />
      </div>
    </section>
  )
}

/** In seconds. */
const GRACE = 3600

/** After a reload. */
function CredentialGone({ id, onReissued }: { id: string; onReissued: (server: ServerWithCredential) => void }) {
  const { data: server } = useSuspenseQuery(serverOptions(id))
  const reissue = useReissueCredential(server)
  const submit = useSingleFlight(async () => {
    // A server that already uses the old one stays online.
    onReissued(await reissue.mutateAsync(server.credential_last_used_at === null ? undefined : GRACE))
  })
  return (
    <>
      <WarnNote>{m.new_server_credential_gone()}</WarnNote>
      {reissue.error && <ErrorNote className="mt-4">{messageOf(reissue.error)}</ErrorNote>}
      <Button className="mt-4" busy={reissue.isPending} onClick={submit}>
        {m.servers_reissue_confirm()}
      </Button>
    </>
  )
}

function WaitingStep({ id, credential }: { id: string; credential: string | undefined }) {
  const { data: server } = useQuery({ ...serverOptions(id), throwOnError: (_error, query) => query.state.data === undefined })
  return server && <FirstAnnounce server={server} credential={credential} nextSteps={<ServerNextSteps server={server} />} />
}

/** What its owner can do once it is listed. */
export function ServerNextSteps({ server }: { server: Server }) {
  const { data: webhooks = [] } = useQuery(webhooksOptions)
  return <NextSteps server={server} hasAlerts={webhooks.some((webhook) => webhook.enabled && coversServer(webhook, server.public_id))} />
}
