/** The page with the servers, and the frame of all pages. The build makes one file of them, because each file costs a request. */
export { ServersPage } from '#web/pages/servers-page.tsx'
export { MemberLayout } from '#web/shell/member-layout.tsx'
