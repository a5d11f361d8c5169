import type { ProtectionIssue } from '#contract/protection.ts'
import { FindingsNote } from './findings-note.tsx'

/** What was found about all servers of the owner. Loaded where it is needed: a file that others import too would weigh more on the first page. */
export function AllFindings({ issues }: { issues: readonly ProtectionIssue[] }) {
  return <FindingsNote issues={issues} />
}
