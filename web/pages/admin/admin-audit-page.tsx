import { useQuery } from '@tanstack/react-query'
import { EVENTS } from '#contract/events/events.ts'
import { m } from '#messages'
import { AUDIT_COLUMNS, AUDIT_FILTERS } from '#web/features/activity/audit/audit-columns.tsx'
import { AuditPanel } from '#web/features/activity/audit/audit-panel.tsx'
import { auditList, auditOptions } from '#web/features/activity/audit/audit.api.ts'
import '#web/ui/mono.css'
import { ListPage } from '#web/ui/table/list-page.tsx'
import { useList } from '#web/ui/table/use-list.ts'

export function AdminAuditPage() {
  const list = useList(auditList)
  return (
    <ListPage
      title={m.nav_audit_log()}
      label={m.nav_audit_log()}
      below={m.audit_page_about()}
      list={list}
      query={useQuery(auditOptions(list.state))}
      columns={AUDIT_COLUMNS}
      idOf={({ id }) => id}
      nameOf={({ action }) => EVENTS[action].title()}
      countText={m.count_entries}
      searchLabel={m.audit_search()}
      placeholder={m.audit_search_placeholder()}
      filters={AUDIT_FILTERS}
      empty={{ title: m.audit_page_empty(), hint: m.audit_page_empty_hint() }}
      noneFound={{
        title: m.audit_page_none(),
        hint: list.state.search ? m.audit_page_none_hint() : m.audit_page_none_filtered(),
        showAll: m.audit_page_show_all(),
      }}
      panel={(open) => <AuditPanel {...open} />}
    />
  )
}
