import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ServerWithCredential } from '#contract/servers.ts'
import { m } from '#messages'
import { CredentialPanel } from '#web/features/servers/credential-panel.tsx'
import { FirstAnnounce } from '#web/features/servers/first-announce.tsx'
import { NewServerForm } from '#web/features/servers/new-server-form.tsx'
import { serverOptions } from '#web/features/servers/servers.api.ts'
import '#web/ui/mono.css'
import { useTitle } from '#web/lib/use-title.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const ServerNextSteps = lazyComponent(() => import('./server-next-steps.tsx').then((module) => module.ServerNextSteps))

const STEPS = [m.new_server_step_name(), m.servers_credential_title(), m.new_server_step_announce()] as const

/** Three steps to a listed server. The credential is only in this component's state. */
export function NewServerPage() {
  const { server: waitingId, with: chosen } = useSearch({ from: '/member/servers/new' })
  const [created, setCreated] = useState<ServerWithCredential>()
  const navigate = useNavigate()
  const step = created ? 1 : waitingId === undefined ? 0 : 2
  const { data: waitingServer } = useQuery({ ...serverOptions(waitingId ?? ''), enabled: waitingId !== undefined })
  const isListed = step === 2 && waitingServer?.listing.listed === true
  // A step change removes the focused button, so the title takes the focus.
  useEffect(() => {
    if (step > 0 && document.activeElement === document.body) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [step])
  useTitle(isListed ? m.new_server_listed() : step === 2 ? m.new_server_waiting() : m.nav_new_server())

  const saved = async (server: ServerWithCredential) => {
    await navigate({
      to: '/servers/new',
      search: { server: server.public_id, with: chosen },
      replace: true,
      ignoreBlocker: true,
    })
    // After the navigation, so that the first step does not flash.
    setCreated(undefined)
  }
  return (
    <div className={cx('mx-auto', step === 2 ? 'max-w-[1200px]' : 'max-w-[680px]')}>
      <PageHeader title={m.nav_new_server()} above={<BackLink to="/servers">{m.nav_servers()}</BackLink>} />
      <Steps current={isListed ? STEPS.length : step} />
      {created ? (
        <CredentialStep server={created} onSaved={() => void saved(created)} />
      ) : waitingId === undefined ? (
        <NewServerForm onCreated={setCreated} />
      ) : (
        <WaitingStep id={waitingId} />
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
      <Button variant="primary" className="mt-6 w-full sm:w-auto" onClick={onSaved}>
        {m.servers_credential_saved()}
      </Button>
    </section>
  )
}

function WaitingStep({ id }: { id: string }) {
  const { data: server } = useQuery({ ...serverOptions(id), throwOnError: true })
  return server && <FirstAnnounce server={server} nextSteps={<ServerNextSteps server={server} />} />
}
