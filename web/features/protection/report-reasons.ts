import type { ReportReason } from '#contract/protection/reports.ts'
import { m } from '#messages'

export const REPORT_REASONS: Readonly<Record<ReportReason, { name: string }>> = {
  fake_players: { name: m.report_reason_fake_players() },
  impersonation: { name: m.report_reason_impersonation() },
  malicious: { name: m.report_reason_malicious() },
  offensive: { name: m.report_reason_offensive() },
  other: { name: m.report_reason_other() },
}
