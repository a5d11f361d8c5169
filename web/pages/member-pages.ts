/** What most visits of a signed-in user begin with. The build makes one file of it, because each file costs a request. */
export { ServersPage } from '#web/pages/servers-page.tsx'
export { MemberLayout } from '#web/shell/member-layout.tsx'
