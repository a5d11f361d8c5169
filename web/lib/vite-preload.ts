/**
 * Vite's preload helper, but each file of a part is fetched before it is imported, so that a failed one can be asked for again.
 * Chromium remembers a failed import for as long as the page lives, until it follows https://github.com/whatwg/html/pull/10327.
 */
const files = new Map<string, Promise<void>>()

/** The build puts this around each `import()`: `needed` are the files of that part. Raises `vite:preloadError` as Vite does. */
export async function fetchThenImport<T>(load: () => Promise<T>, needed: readonly string[] = []): Promise<T | undefined> {
  try {
    await Promise.all(needed.map(fetchOnce))
    return await load()
  } catch (error) {
    const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: error })
    if (dispatchEvent(event)) throw error
    return undefined
  }
}

function fetchOnce(file: string): Promise<void> {
  const fetched = files.get(file) ?? fetchFile(`/${file}`)
  files.set(file, fetched)
  fetched.catch(() => files.delete(file))
  return fetched
}

async function fetchFile(url: string): Promise<void> {
  if (document.querySelector(`link[href="${url}"], script[src="${url}"]`)) return
  const reply = await fetch(url)
  if (!reply.ok) throw new TypeError(`Failed to fetch ${url}`)
  await reply.arrayBuffer()
  if (!url.endsWith('.css')) return
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })
  document.head.append(link)
  await new Promise((resolve) => {
    link.addEventListener('load', resolve)
    link.addEventListener('error', resolve)
  })
}
