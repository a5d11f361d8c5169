import { BadgeCheck } from 'lucide-react'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import { m } from '#messages'
import { ListingTab } from '#web/features/servers/listing/listing-tab.tsx'
import { useUpdateServer } from '#web/features/servers/server-mutations.ts'
import { messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { Switch } from '#web/ui/switch.tsx'

export function AdminServerListing({ server }: { server: AdminServer }) {
  return (
    <div className="space-y-6">
      <VerifiedSwitch server={server} />
      <ListingTab key={server.public_id} server={server} />
    </div>
  )
}

function VerifiedSwitch({ server }: { server: AdminServer }) {
  const verify = useUpdateServer(server)
  const isVerified = verify.isPending ? verify.variables.body.verified : server.verified
  const toggle = useSingleFlight(async () => {
    const { verified } = await verify.mutateAsync({ body: { verified: !server.verified }, ifMatch: server.version })
    toastSuccess(verified ? m.servers_admin_verified_on() : m.servers_admin_verified_off(), server.name)
  })
  return (
    <section aria-label={m.servers_flag_verified()} className="card px-5 py-4">
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the switch is its control */}
      <label className="flex cursor-pointer items-start justify-between gap-4">
        <span className="flex min-w-0 gap-3">
          <BadgeCheck size={17} className={isVerified ? 'mt-0.5 shrink-0 text-ok' : 'mt-0.5 shrink-0 text-ink-3'} aria-hidden="true" />
          <span className="min-w-0">
            <span className="block font-medium">{m.servers_flag_verified()}</span>
            <span className="block text-13 text-pretty text-ink-2">{m.servers_admin_verified_hint()}</span>
          </span>
        </span>
        <Switch
          aria-label={m.servers_flag_verified()}
          className="mt-0.5"
          checked={isVerified}
          aria-busy={verify.isPending || undefined}
          onChange={toggle}
        />
      </label>
      {verify.error && <ErrorNote className="mt-3">{messageOf(verify.error)}</ErrorNote>}
    </section>
  )
}
