/**
 * Which file a module goes into: what the panel needs at once is one file, what the login page shares is another, the rest comes with its
 * page. By default everything that two pages share becomes a small file of its own, and each costs a round trip.
 */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** All icons come through one module, so every importer seems to need them all; they are left to the bundler. */
const ICON = /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/

/** The icons that several pages have, but not the first: one file instead of one for each. */
export const SHARED_ICONS = { name: 'icons', test: ICON, minShareCount: 2 } as const

/** The group of a module by who needs it at once; null leaves it where the bundler puts it. */
export function chunkOf(panel: string, login: string): (id: string, modules: Modules) => string | null {
  let known: { panel: Set<string>; login: Set<string> } | undefined
  return (id, modules) => {
    known ??= { panel: neededAtOnce(panel, modules), login: neededAtOnce(login, modules) }
    if (id === panel || id === login || ICON.test(id) || !known.panel.has(id)) return null
    return known.login.has(id) ? 'base' : 'panel'
  }
}

function neededAtOnce(entry: string, modules: Modules): Set<string> {
  const found = new Set<string>()
  const open = [entry]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...(modules.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}
