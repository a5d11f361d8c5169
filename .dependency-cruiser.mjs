/**
 * Who may import whom, type imports included (`npm run check:layers`). A feature imports only features that stand before it in its
 * list, so there are no cycles.
 */
const BACKEND_FEATURES = [
  'events',
  'users',
  'images',
  'groups',
  'servers',
  'protection',
  'managers',
  'benefits',
  'supporters',
  'transfers',
  'auth',
  'feeds',
  'downloads',
  'masterlist',
  'about',
  'cloud-auth',
  'history',
  'detection',
  'activity',
  'live',
  'account',
]

const folderOf = (feature) => (feature === 'masterlist' ? '^backend/masterlist/' : `^backend/features/${feature}/`)

/** One rule per feature: it may not import those that stand after it. */
const inOrder = BACKEND_FEATURES.slice(0, -1).map((feature, at) => ({
  name: `backend-order-${feature}`,
  comment: `${feature} imports only features that stand before it.`,
  severity: 'error',
  from: { path: folderOf(feature) },
  to: { path: BACKEND_FEATURES.slice(at + 1).map(folderOf) },
}))

/** The rooms of the master list: each may import those that are named. */
const MASTERLIST_ROOMS = {
  registry: [],
  wire: [],
  saving: ['registry'],
  announces: ['registry', 'wire', 'saving'],
  lists: ['registry', 'wire'],
  skins: ['lists', 'registry', 'wire'],
}

const masterlistRooms = Object.entries(MASTERLIST_ROOMS).map(([room, allowed]) => ({
  name: `masterlist-${room}`,
  comment: `${room}/ imports ${allowed.length === 0 ? 'no other room' : `only ${allowed.join(', ')}`} of the master list.`,
  severity: 'error',
  from: { path: `^backend/masterlist/${room}/`, pathNot: '[.]test[.]ts$' },
  to: { path: `^backend/masterlist/(?!${[room, ...allowed].join('|')})[^/]+/` },
}))

export default {
  forbidden: [
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^backend/platform/', pathNot: '[.]test[.]ts$' },
      to: { path: '^backend/(?!platform/)' },
    },
    {
      name: 'only-the-program-knows-app',
      severity: 'error',
      from: { path: '^backend/(features|masterlist)/', pathNot: '[.]test[.]ts$' },
      to: { path: '^backend/(app|cli)/' },
    },
    ...inOrder.map((rule) => ({ ...rule, from: { ...rule.from, pathNot: '[.]test[.]ts$' } })),
    ...masterlistRooms,
    {
      name: 'queries-stay-in-their-feature',
      comment: 'Call another feature’s rules, not its queries.',
      severity: 'error',
      from: { path: '^backend/features/([^/]+)/', pathNot: '[.]test[.]ts$' },
      to: { path: '^backend/features/.+[.]queries[.]ts$', pathNot: '^backend/features/$1/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|dist|[.]cache)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'], extensions: ['.ts', '.tsx', '.js'] },
  },
}
