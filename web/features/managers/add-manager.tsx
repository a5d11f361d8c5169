import { useId, useState } from 'react'
import type { Permission } from '#contract/permissions.ts'
import type { Me, PublicUser } from '#contract/users.ts'
import { FindPerson } from '#web/features/users/find-person.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useGrant } from './managers.api.ts'
import { PermissionFields } from './permissions.tsx'

const USUAL: readonly Permission[] = ['EDIT_DETAILS']

/** First who, then what they may do: nothing is granted before the user has seen whom they found. */
export function AddManager({ me }: { me: Me }) {
  const titleId = useId()
  // The next manager begins with an empty form.
  const [turn, setTurn] = useState(0)
  const full = me.gived_managements.length >= me.max_managers
  return (
    <section aria-labelledby={titleId} className="card p-5">
      <h2 id={titleId} tabIndex={-1} className="font-medium outline-none">
        Add a manager
      </h2>
      {full ? (
        <p className="mt-0.5 text-13 text-pretty text-ink-2">{limitText(me.max_managers)}</p>
      ) : (
        <>
          <p className="mt-0.5 mb-4 text-13 text-pretty text-ink-2">
            A manager helps you with <strong className="font-semibold text-ink-1">all your servers</strong>, those you register later too.
            Handing over and deleting stay yours.
          </p>
          <AddForm
            key={turn}
            me={me}
            onAdded={() => {
              setTurn(turn + 1)
              document.getElementById(titleId)?.focus({ preventScroll: true })
            }}
          />
        </>
      )}
    </section>
  )
}

function limitText(max: number): string {
  if (max === 0) return 'Your account can’t have managers.'
  return `You have reached your limit of ${max} ${max === 1 ? 'manager' : 'managers'}. Revoke one to make room for somebody else.`
}

function AddForm({ me, onAdded }: { me: Me; onAdded: () => void }) {
  const [person, setPerson] = useState<PublicUser>()
  const [permissions, setPermissions] = useState<readonly Permission[]>(USUAL)
  const [tried, setTried] = useState(false)
  const grant = useGrant()
  const send = useSingly(async () => {
    setTried(true)
    if (!person || permissions.length === 0) return
    await grant.mutateAsync({ person, permissions: [...permissions] })
    toastSuccess(`${person.discord.username} manages your servers now`)
    onAdded()
  })
  return (
    <div className="space-y-5">
      <FindPerson
        me={me}
        notOneself="That is you. Your servers are yours already: you need no permission."
        refuse={(found) =>
          me.gived_managements.some(({ manager_id }) => manager_id === found.id)
            ? `${found.discord.username} is one of your managers already. Change the permissions in the list below.`
            : undefined
        }
        found={person}
        onFound={(found) => {
          setPerson(found)
          grant.reset()
        }}
      />
      {person && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
          className="space-y-4"
        >
          <PermissionFields
            legend={`What may ${person.discord.username} do?`}
            value={permissions}
            onChange={setPermissions}
            error={tried && permissions.length === 0 ? 'Choose at least one permission.' : undefined}
          />
          {grant.error && <ErrorNote>{messageOf(grant.error)}</ErrorNote>}
          <Button type="submit" look="primary" busy={grant.isPending} className="max-sm:w-full">
            Add manager
          </Button>
        </form>
      )}
    </div>
  )
}
