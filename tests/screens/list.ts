/** The screens that `screens.ts` takes pictures of, by the names of `npm run demo`. */
import type { Page } from '@playwright/test'
import * as protection from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { signIn } from '#tests/test-user.ts'

export interface Screen {
  readonly name: string
  /** Signed out if undefined. */
  readonly user?: string
  readonly path: string
  /** What happens before the picture. */
  readonly act?: (page: Page) => Promise<unknown>
  /** What the accessible names are written of. */
  readonly names?: string
}

const DIALOG = '[role=dialog], [role=alertdialog]'
const newcomer = `newcomer${Date.now()}`

export async function screensOf(base: string): Promise<readonly Screen[]> {
  const [alice, admin] = [await signIn(() => base, 'alice'), await signIn(() => base, 'admin')]
  const { owned, management } = (await alice.call(servers.list)).data
  const idOf = (name: string) => owned.find((server) => server.name === name)?.public_id ?? ''
  const [flagship, moved] = [idOf('Harbour Nights Roleplay'), idOf('Lakeside County RP')]
  const hooks = (await alice.call(webhooks.list)).data
  const hook = hooks.find(({ kind }) => kind === 'standard')?.id ?? ''
  const own = (await alice.call(protection.issuesOfUser, { params: { userId: alice.id } })).data
  const frozen = own.find(({ kind }) => kind === 'IMPLAUSIBLE_PLAYERS')?.id ?? ''
  const queue = (await admin.call(protection.issues, { query: { kind: ['IMPLAUSIBLE_PLAYERS'], status: ['OPEN'] } })).data
  const [queued] = queue.data
  const [managed] = management
  const server = (tab = '', id = flagship) => ({ user: 'alice', path: `/servers/${id}${tab && `?tab=${tab}`}` })
  return [
    { name: '01-login', path: '/login' },
    { name: '02-servers', user: 'alice', path: '/servers' },
    { name: '03-servers-empty', user: newcomer, path: '/servers' },
    { name: '04-new-server-name', user: newcomer, path: '/servers/new' },
    { name: '05-new-server-waiting', user: newcomer, path: '/servers/new', act: createServer },
    { name: '06-server-overview', ...server(), names: '[role=tablist]' },
    { name: '07-server-listing', ...server('listing') },
    { name: '08-server-connect', ...server('connect') },
    { name: '09-server-announces', ...server('announces', moved) },
    { name: '10-server-activity', ...server('activity') },
    { name: '11-server-danger', ...server('danger') },
    { name: '12-managed-server', user: 'alice', path: `/management/${managed?.user_id}/servers/${managed?.public_id}` },
    { name: '13-benefits', user: 'alice', path: '/benefits' },
    { name: '14-benefit-launcher', user: 'alice', path: '/benefits/custom_launcher' },
    { name: '15-downloads', user: 'alice', path: '/downloads' },
    { name: '16-settings-preferences', user: 'alice', path: '/settings/preferences' },
    { name: '17-settings-managers', user: 'alice', path: '/settings/managers' },
    { name: '18-settings-webhook', user: 'alice', path: `/settings/webhooks/${hook}?tab=deliveries` },
    { name: '19-inbox', user: 'alice', path: '/inbox' },
    { name: '20-own-issue', user: 'alice', path: `/protection-issues/${frozen}` },
    { name: '21-admin-servers', user: 'admin', path: '/admin/servers', names: '[role=table]' },
    { name: '22-admin-users', user: 'admin', path: '/admin/users' },
    { name: '23-admin-user', user: 'admin', path: `/admin/users/${alice.id}` },
    { name: '24-admin-issue', user: 'admin', path: `/admin/protection-issues/${queued?.id}/users/${queued?.user.id}` },
    { name: '25-admin-statistics', user: 'admin', path: '/admin/statistics' },
    { name: '26-admin-audit', user: 'admin', path: '/admin/audit' },
    { name: '27-browse', path: '/browse' },
    { name: '28-public-server', path: `/s/${flagship}` },
    { name: '29-palette', user: 'alice', path: '/servers', act: openPalette, names: DIALOG },
    { name: '30-delete-server', ...server('danger'), act: openDelete, names: DIALOG },
    { name: '31-row-menu', user: 'alice', path: '/servers', act: openRowMenu, names: '[role=menu]' },
    { name: '32-admin-status', user: 'admin', path: '/admin/status' },
  ]
}

async function createServer(page: Page): Promise<void> {
  await page.getByLabel('Name').fill(`Pine Ridge ${Date.now()}`)
  await page.getByRole('button', { name: 'Create server' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('har')
}

const openDelete = (page: Page) => page.getByRole('button', { name: 'Delete server…' }).click()
const openRowMenu = (page: Page) => page.getByRole('button', { name: 'Actions for Harbour Nights Racing' }).click()
