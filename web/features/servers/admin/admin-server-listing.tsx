import { BadgeCheck } from 'lucide-react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { ListingTab } from '#web/features/servers/listing/listing-tab.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useVerifyServer } from './admin-server.api.ts'

export function AdminServerListing({ server }: { server: AdminServer }) {
  return (
    <div className="space-y-6">
      <VerifiedSwitch server={server} />
      <ListingTab key={server.public_id} server={server} />
    </div>
  )
}

function VerifiedSwitch({ server }: { server: AdminServer }) {
  const verify = useVerifyServer(server.public_id)
  const shown = verify.isPending ? verify.variables : server.verified
  const set = useSingleFlight(async () => {
    const { verified } = await verify.mutateAsync(!server.verified)
    toastSuccess(verified ? 'Marked as verified' : 'No longer verified', server.name)
  })
  return (
    <section aria-label="Verified" className="card px-5 py-4">
      <label className="flex cursor-pointer items-start justify-between gap-4">
        <span className="flex min-w-0 gap-3">
          <BadgeCheck size={17} className={shown ? 'mt-0.5 shrink-0 text-ok' : 'mt-0.5 shrink-0 text-ink-3'} aria-hidden="true" />
          <span className="min-w-0">
            <span className="block font-medium">Verified</span>
            <span className="block text-13 text-pretty text-ink-2">
              The list vouches for it. A server of somebody else under a name like it is found as an impersonation. Saved at once.
            </span>
          </span>
        </span>
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox says by itself whether it is on
          role="switch"
          aria-label="Verified"
          className="switch mt-0.5 shrink-0"
          checked={shown}
          aria-busy={verify.isPending || undefined}
          onChange={set}
        />
      </label>
      {verify.error && <ErrorNote className="mt-3">{messageOf(verify.error)}</ErrorNote>}
    </section>
  )
}
