/** The pages for administrators. The build makes one file of them, because each file costs a request. */
export { AdminAuditPage } from '#web/pages/admin/admin-audit-page.tsx'
export { AdminProtectionIssuePage } from '#web/pages/admin/admin-protection-issue-page.tsx'
export { AdminProtectionIssuesPage } from '#web/pages/admin/admin-protection-issues-page.tsx'
export { AdminServerPage } from '#web/pages/admin/admin-server-page.tsx'
export { AdminServersPage } from '#web/pages/admin/admin-servers-page.tsx'
export { AdminStatisticsPage } from '#web/pages/admin/admin-statistics-page.tsx'
export {
  AdminUserActivityPage,
  AdminUserBenefitsPage,
  AdminUserLayout,
  AdminUserProtectionPage,
  AdminUserServersPage,
  AdminUserSettingsPage,
} from '#web/pages/admin/admin-user-pages.tsx'
export { AdminUsersPage } from '#web/pages/admin/admin-users-page.tsx'
export { AdminBenefitSettingsPage } from '#web/pages/benefit-settings-page.tsx'
export { AdminArea } from '#web/shell/admin-area.tsx'
