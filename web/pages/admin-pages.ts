/** The pages for administrators. The build makes one file of them, because each file costs a request. */
export * from '#web/pages/admin/admin-lists.tsx'
export { AdminServerPage } from '#web/pages/admin/admin-server-page.tsx'
export { AdminStatusPage } from '#web/pages/admin/admin-status-page.tsx'
export * from '#web/pages/admin/admin-user-pages.tsx'
export { AdminBenefitSettingsPage } from '#web/pages/benefit-settings-page.tsx'
export { AdminArea } from '#web/shell/admin-area.tsx'
