import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Group } from '#contract/servers/groups.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { ConfirmButton } from '#web/ui/dialog/confirm-button.tsx'
import { InitialsTile } from '#web/ui/image-tile.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { RenameGroup } from './group-name.tsx'
import { useDeleteGroup } from './groups.api.ts'

export function GroupRow({ group }: { group: Group }) {
  const { name, servers } = group
  // Undefined until it was first renamed.
  const [isRenaming, setRenaming] = useState<boolean>()
  return (
    <li className="px-5 py-4">
      {isRenaming ? (
        <RenameGroup group={group} onClose={() => setRenaming(false)} />
      ) : (
        <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between sm:gap-5">
          <h3 className="flex min-w-0 items-start gap-2 font-medium">
            <InitialsTile id={group.id} name={name} className="size-5" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
          </h3>
          <div className="flex shrink-0 gap-2 max-sm:*:flex-1">
            <Button
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the field that had the focus
              autoFocus={isRenaming === false}
              onClick={() => setRenaming(true)}
              aria-label={m.groups_rename_named({ group: name })}
            >
              {m.groups_rename()}
            </Button>
            <DeleteGroup group={group} />
          </div>
        </div>
      )}
      {servers.length === 0 ? (
        <p className="mt-1.5 text-13 text-ink-3">{m.groups_empty()}</p>
      ) : (
        <ul aria-label={m.groups_servers()} className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
          {servers.map((server) => (
            <li key={server.public_id} className="min-w-0">
              <Link
                to="/servers/$server_id"
                params={{ server_id: server.public_id }}
                search={{ tab: 'listing' }}
                className="inline-flex min-h-6 items-center rounded-6 text-13 [overflow-wrap:anywhere] text-accent underline underline-offset-2"
              >
                {server.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function DeleteGroup({ group }: { group: Group }) {
  const { name, servers } = group
  const remove = useDeleteGroup()
  return (
    <ConfirmButton
      trigger={<Button aria-label={m.groups_delete_named({ group: name })}>{m.groups_delete()}</Button>}
      title={m.groups_delete_title({ group: name })}
      confirm={m.groups_delete_confirm()}
      danger
      mutation={remove}
      onConfirm={async () => {
        await remove.mutateAsync(group)
        toastSuccess(m.groups_deleted(), name)
      }}
    >
      {servers.length === 0 ? (
        <p>{m.groups_delete_empty()}</p>
      ) : (
        <>
          <p>{m.groups_delete_servers({ count: servers.length })}</p>
          <ul className="list-disc space-y-1 pl-5">
            {servers.map((server) => (
              <li key={server.public_id}>{server.name}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmButton>
  )
}
