import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Group } from '#contract/servers/groups.ts'
import { m } from '#messages'
import { MutationDialog } from '#web/ui/dialog/mutation-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { InitialsTile } from '#web/ui/image-tile.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useDeleteGroup } from './groups.api.ts'
import { RenameGroup } from './rename-group.tsx'

export function GroupRow({ group }: { group: Group }) {
  const { name, servers } = group
  const [open, setOpen] = useState<'rename' | 'delete'>()
  const renameButton = useRef<HTMLDivElement>(null)
  const wasRenaming = useRef(false)
  const isRenaming = open === 'rename'
  // The button replaces the field, so it gets the focus.
  useEffect(() => {
    if (wasRenaming.current && !isRenaming) renameButton.current?.querySelector('button')?.focus()
    wasRenaming.current = isRenaming
  }, [isRenaming])
  const close = () => setOpen(undefined)
  return (
    <li className="px-5 py-4">
      {isRenaming ? (
        <RenameGroup group={group} onClose={close} />
      ) : (
        <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between sm:gap-5">
          <h3 className="flex min-w-0 items-start gap-2 font-medium">
            <InitialsTile id={group.id} name={name} className="size-5" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
          </h3>
          <div ref={renameButton} className="flex shrink-0 gap-2 max-sm:*:flex-1">
            <Button onClick={() => setOpen('rename')} aria-label={m.groups_rename_named({ group: name })}>
              {m.groups_rename()}
            </Button>
            <Button onClick={() => setOpen('delete')} aria-label={m.groups_delete_named({ group: name })}>
              {m.groups_delete()}
            </Button>
          </div>
        </div>
      )}
      <GroupServers servers={servers} />
      {open === 'delete' && <DeleteGroupDialog group={group} onClose={close} />}
    </li>
  )
}

function GroupServers({ servers }: Pick<Group, 'servers'>) {
  if (servers.length === 0) {
    return <p className="mt-1.5 text-13 text-ink-3">{m.groups_empty()}</p>
  }
  return (
    <ul aria-label={m.groups_servers()} className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
      {servers.map(({ public_id, name }) => (
        <li key={public_id} className="min-w-0">
          <Link
            to="/servers/$server_id"
            params={{ server_id: public_id }}
            search={{ tab: 'listing' }}
            className="inline-flex min-h-6 items-center rounded-6 text-13 [overflow-wrap:anywhere] text-accent underline underline-offset-2"
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function DeleteGroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { name, servers } = group
  const remove = useDeleteGroup()
  return (
    <MutationDialog
      title={m.groups_delete_title({ group: name })}
      confirm={m.groups_delete_confirm()}
      danger
      mutation={remove}
      onConfirm={async () => {
        await remove.mutateAsync(group)
        toastSuccess(m.groups_deleted(), name)
        onClose()
      }}
      onClose={onClose}
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
    </MutationDialog>
  )
}
