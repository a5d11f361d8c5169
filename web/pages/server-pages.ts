/** The pages of a server. The build makes one file of them, because each file costs a request. */
export { InboxPage } from '#web/pages/inbox-page.tsx'
export { NewServerPage } from '#web/pages/new-server-page.tsx'
export { ProtectionIssuePage, ProtectionIssuesPage } from '#web/pages/protection-issues-page.tsx'
export { ManagedServerError, ManagedServerPage, ServerPage } from '#web/pages/server-page.tsx'
