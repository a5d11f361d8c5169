/** Import rules. Each list is ordered: a module imports only modules of earlier rows, so there are no cycles. */

/** Modules and their folders. Modules in one row don't import each other. */
export type Layer = Readonly<Record<string, string>>

const modules =
  (folder: string) =>
  (...names: readonly string[]): Layer =>
    Object.fromEntries(names.map((name) => [name, `${folder}/${name}/`]))
const core = modules('backend/core')
const services = modules('backend/services')
const webFeature = (...names: readonly string[]): Layer => Object.fromEntries(names.map((name) => [`web ${name}`, `web/features/${name}/`]))

export const BACKEND: readonly Layer[] = [
  { contract: 'contract/' },
  { platform: 'backend/platform/' },
  core('events'),
  core('users'),
  core('images', 'groups', 'supporters', 'preferences'),
  core('auth', 'servers', 'api-keys'),
  core('protection', 'managers', 'benefits', 'leaks', 'activity'),
  core('transfers', 'reports'),
  { masterlist: 'backend/masterlist/' },
  services('about', 'cloud-auth', 'history', 'live', 'webhooks', 'feeds', 'downloads'),
  services('detection', 'probing', 'account', 'notifications', 'public-site'),
  services('backup'),
  { app: 'backend/app/' },
  { 'main and cli': 'backend/' },
]

export const WEB: readonly Layer[] = [
  { contract: 'contract/' },
  { lib: 'web/lib/' },
  { ui: 'web/ui/' },
  webFeature('session', 'about', 'images', 'downloads', 'history', 'installation'),
  webFeature('users', 'groups', 'protection', 'sessions', 'preferences', 'api-keys'),
  webFeature('account'),
  webFeature('servers'),
  webFeature('managers', 'transfers', 'activity', 'benefits', 'webhooks', 'live'),
  webFeature('notifications'),
  { shell: 'web/shell/' },
  { pages: 'web/pages/' },
  { routes: 'web/routes/' },
  { web: 'web/' },
]

/** Inside the master list; its top level combines the modules before it. */
export const MASTERLIST: readonly Layer[] = [
  { registry: 'backend/masterlist/registry/' },
  { wire: 'backend/masterlist/wire/' },
  { persistence: 'backend/masterlist/persistence/', lists: 'backend/masterlist/lists/' },
  { announces: 'backend/masterlist/announces/' },
  { 'masterlist top': 'backend/masterlist/' },
  { 'launcher themes': 'backend/masterlist/launcher-themes/', 'signed list': 'backend/masterlist/signed/' },
]

/** Further forbidden imports, with the reason. */
export const FORBIDDEN: readonly { readonly from: RegExp; readonly to: RegExp; readonly why: string }[] = [
  {
    from: /^backend\/(?:core|services)\/([^/]+)\//,
    to: /^backend\/(?:core|services)\/([^/]+)\/.*\.queries\.ts$/,
    why: 'call the other feature’s rules, not its queries',
  },
  { from: /^backend\//, to: /^web\//, why: 'the backend must not depend on the web panel' },
  { from: /^web\//, to: /^backend\//, why: 'the web panel must not depend on the backend' },
  { from: /^sdk\//, to: /^(backend|contract|web|tests)\//, why: 'the SDK is published on its own' },
  { from: /^(contract|web|backend\/(?!cli\/))/, to: /^sdk\//, why: 'only the command line uses the SDK' },
]
