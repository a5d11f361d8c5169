import { TriangleAlert } from 'lucide-react'
import { type Permission, PERMISSION_KEYS, PERMISSIONS } from '#contract/servers/permissions.ts'
import { m } from '#messages'

export function PermissionChips({ permissions }: { permissions: readonly Permission[] }) {
  return (
    <ul aria-label={m.servers_managed_permissions()} className="flex flex-wrap gap-1.5">
      {PERMISSION_KEYS.filter((key) => permissions.includes(key)).map((key) => (
        <li
          key={key}
          data-tip={PERMISSIONS[key].allows()}
          className="inline-flex h-6 items-center gap-1 rounded-6 border border-line px-1.5 text-12 text-ink-2"
        >
          {PERMISSIONS[key].isDangerous && (
            <TriangleAlert size={12} className="shrink-0 text-warn" role="img" aria-label={m.servers_managed_dangerous()} />
          )}
          {PERMISSIONS[key].name()}
        </li>
      ))}
    </ul>
  )
}
