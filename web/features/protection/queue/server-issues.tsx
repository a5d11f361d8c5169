import { queryOptions, useQuery } from '@tanstack/react-query'
import { ISSUE_STATUSES, type IssueStatus, OPEN_STATUSES, type ProtectionIssue } from '#contract/protection/protection.ts'
import { Issues } from '#web/features/protection/issue-list.tsx'
import { POLLING } from '#web/features/protection/issue-polling.tsx'
import { PROTECTION } from '#web/features/protection/protection.api.ts'
import { call } from '#web/lib/http/call.ts'

const CLOSED_STATUSES = ISSUE_STATUSES.filter((status) => !(OPEN_STATUSES as readonly string[]).includes(status))
const MAX_PER_PAGE = '100'

const issuesOfServerOptions = (serverId: string) =>
  queryOptions({
    queryKey: [PROTECTION, 'server', serverId],
    queryFn: async ({ signal }): Promise<ProtectionIssue[]> => {
      const fetchIssues = (status: readonly IssueStatus[]) => {
        const query = { server_id: serverId, status: [...status], per_page: MAX_PER_PAGE }
        return call('GET /api/admin/protection-issues', { query, signal, fullBody: true })
      }
      const [open, closed] = await Promise.all([fetchIssues(OPEN_STATUSES), fetchIssues(CLOSED_STATUSES)])
      return [...open.data, ...closed.data]
    },
  })

/** One server's issues for administrators, including those of its former owners. */
export function ServerIssues({ serverId }: { serverId: string }) {
  const list = useQuery({ ...issuesOfServerOptions(serverId), ...POLLING })
  return <Issues list={list} viewer="administrator" ofServer />
}
