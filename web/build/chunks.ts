/**
 * Assigns modules to chunks: one for the panel's static imports, and one for those that the login page shares. Lazy pages keep their own.
 * By default, each set of shared modules becomes a small chunk, and each chunk costs a round trip.
 */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** Left to the bundler. Lucide's index re-exports every icon, so each importer seems to import all of them. */
const ICON = /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/

/** Parts of libraries that only lazy pages use. The libraries' indexes re-export them, so they seem to belong to the first page. */
const LAZY_PART = /@tanstack[\\/].*[\\/](?:useBlocker|infiniteQueryObserver|useInfiniteQuery|useMutationState)\.js$/

/** One chunk for the icons that several lazy pages share, instead of one for each icon. */
export const SHARED_ICONS = { name: 'icons', test: ICON, minShareCount: 2 } as const

/** One chunk for the small parts that several lazy pages share, and one for the rules that most of them do. Each chunk costs two requests. */
export const SHARED_PARTS = { name: 'shared', test: /web[\\/](?:ui|lib)[\\/]|[\\/]messages[\\/]/, minShareCount: 3 } as const
export const SHARED_RULES = { name: 'shared-rules', test: /[\\/]contract[\\/]/, minShareCount: 8 } as const

/** The login page loads its languages later. In `shared`, their code would bring the panel along. */
export const LANGUAGE_CHOICE = { name: 'language-choice', test: /lib[\\/](?:language-choice|cookies)\.ts$/ } as const

/** One chunk for what every page loads right after its first paint. They load together, and each chunk costs two requests. */
export const AFTER_FIRST_PAGE = {
  name: 'after-first-page',
  test: /(?:shell[\\/]status-bars|live[\\/]live-updates|ui[\\/](?:toaster|tooltips)|notifications[\\/]unread-watcher|servers[\\/]deleted-servers)\.tsx?$/,
} as const

/**
 * Returns the chunk name of a module, or null to leave it to the bundler.
 * @param loginEntries the login page, and what it loads later without the panel
 */
export function chunkNameFor(panelEntry: string, loginEntries: readonly string[]): (id: string, modules: Modules) => string | null {
  let staticImports: { panel: Set<string>; login: Set<string> } | undefined
  return (id, modules) => {
    staticImports ??= { panel: staticImportsOf([panelEntry], modules), login: staticImportsOf(loginEntries, modules) }
    if (id === panelEntry || loginEntries.includes(id) || ICON.test(id) || LAZY_PART.test(id) || !staticImports.panel.has(id)) return null
    return staticImports.login.has(id) ? 'base' : 'panel'
  }
}

/** The entries and their static imports, transitively. */
function staticImportsOf(entries: readonly string[], modules: Modules): Set<string> {
  const visited = new Set<string>()
  const pending = [...entries]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (visited.has(id)) continue
    visited.add(id)
    pending.push(...(modules.getModuleInfo(id)?.importedIds ?? []))
  }
  return visited
}
