import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ServerWithCredential } from '#contract/servers.ts'
import { m } from '#messages'
import { Arrival } from '#web/features/servers/arrival.tsx'
import { CredentialPanel } from '#web/features/servers/credential-panel.tsx'
import { FirstAnnounce } from '#web/features/servers/first-announce.tsx'
import { NewServerForm } from '#web/features/servers/new-server-form.tsx'
import { serverOptions } from '#web/features/servers/servers.api.ts'
import '#web/ui/mono.css'
import { pageTitle } from '#web/lib/focus.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const ServerNextSteps = lazyComponent(() => import('./server-next-steps.tsx').then((module) => module.ServerNextSteps))

const STEPS = [m.new_server_step_name(), m.servers_credential_title(), m.new_server_step_announce()] as const

/** Three steps to a listed server. The credential is only in this component's state, until the user leaves the wizard. */
export function NewServerPage() {
  const { server: waitingId, with: chosen } = useSearch({ from: '/member/servers/new' })
  const [created, setCreated] = useState<ServerWithCredential>()
  const [isSaved, setSaved] = useState(false)
  const navigate = useNavigate()
  const step = waitingId !== undefined ? 2 : created ? 1 : 0
  // The wizard starts again.
  if (isSaved && waitingId === undefined) {
    setCreated(undefined)
    setSaved(false)
  }
  const { data: waitingServer } = useQuery({ ...serverOptions(waitingId ?? ''), enabled: waitingId !== undefined })
  const isListed = step === 2 && waitingServer?.listing.listed === true
  const previousStep = useRef(step)
  // A step change removes the focused button, so the title takes the focus.
  useEffect(() => {
    if (step === previousStep.current) return
    previousStep.current = step
    document.getElementById('main')?.scrollTo({ top: 0 })
    pageTitle()?.focus({ preventScroll: true })
  }, [step])
  useTitle(isListed ? m.new_server_listed() : step === 2 ? m.new_server_waiting() : m.nav_new_server())

  const saved = async (server: ServerWithCredential) => {
    await navigate({
      to: '/servers/new',
      search: { server: server.public_id, with: chosen },
      replace: true,
      ignoreBlocker: true,
    })
    // After the navigation, because the wizard would start again.
    setSaved(true)
  }
  return (
    <div className={cx('mx-auto', step === 2 ? 'max-w-[1200px]' : 'max-w-[680px]')}>
      <PageHeader title={m.nav_new_server()} above={<BackLink to="/servers">{m.nav_servers()}</BackLink>} />
      <Steps current={isListed ? STEPS.length : step} />
      {waitingId !== undefined ? (
        <WaitingStep id={waitingId} credential={created?.public_id === waitingId ? created?.credential : undefined} />
      ) : created ? (
        <CredentialStep server={created} onSaved={() => void saved(created)} />
      ) : (
        <NewServerForm onCreated={setCreated} />
      )}
    </div>
  )
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

/** The credential is shown once, so only an explicit confirmation continues. */
function CredentialStep({ server, onSaved }: { server: ServerWithCredential; onSaved: () => void }) {
  return (
    <section aria-label={m.servers_credential_title()} className="card p-5 sm:p-6">
      <CredentialPanel server={server} />
      <div
        data-save-bar
        className="sticky bottom-0 z-10 -mx-5 mt-6 -mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-b-10 border-t border-line bg-surface-1 px-5 py-4 max-sm:py-3 sm:-mx-6 sm:-mb-6 sm:px-6"
      >
        <Button variant="primary" className="w-full sm:w-auto" onClick={onSaved}>
          {m.servers_credential_saved()}
        </Button>
        <Arrival id={server.public_id} />
      </div>
    </section>
  )
}

function WaitingStep({ id, credential }: { id: string; credential: string | undefined }) {
  const { data: server } = useQuery({ ...serverOptions(id), throwOnError: (_error, query) => query.state.data === undefined })
  return server && <FirstAnnounce server={server} credential={credential} nextSteps={<ServerNextSteps server={server} />} />
}
