import { useQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { AuditFilters } from '#web/features/activity/audit/audit-filters.tsx'
import { auditList } from '#web/features/activity/audit/audit-list.ts'
import { AuditPanel } from '#web/features/activity/audit/audit-panel.tsx'
import { type AuditList, AuditTable } from '#web/features/activity/audit/audit-table.tsx'
import { auditOptions } from '#web/features/activity/audit/audit.api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import '#web/ui/mono.css'
import { ListPage } from '#web/ui/table/list-page.tsx'
import { useList } from '#web/ui/table/use-list.ts'

export function AdminAuditPage() {
  const list = useList(auditList)
  const { open } = list.state
  const query = useQuery(auditOptions(list.state))
  const rows = query.data?.data
  return (
    <ListPage
      title={m.nav_audit_log()}
      below={m.audit_page_about()}
      list={list}
      query={query}
      idOf={(entry) => entry.id}
      countText={m.count_entries}
      filters={<AuditFilters list={list} rows={rows ?? []} />}
      table={<AuditTable rows={rows} list={list} waiting={query.isPlaceholderData} empty={<NoEntries list={list} />} />}
    >
      {open !== undefined && <AuditPanel id={open} row={rows?.find(({ id }) => id === open)} onClose={list.close} />}
    </ListPage>
  )
}

function NoEntries({ list }: { list: AuditList }) {
  if (!list.isFiltered) return <EmptyState title={m.audit_page_empty()}>{m.audit_page_empty_hint()}</EmptyState>
  return (
    <EmptyState title={m.audit_page_none()} action={<Button onClick={list.clearFilters}>{m.audit_page_show_all()}</Button>}>
      {list.state.search ? m.audit_page_none_hint() : m.audit_page_none_filtered()}
    </EmptyState>
  )
}
