/**
 * Replaces Vite's preload helper. It fetches a chunk's files before the import, so that a failed download can be retried.
 * Chromium never retries a failed import in the same page (https://github.com/whatwg/html/pull/10327).
 */
const fetches = new Map<string, Promise<void>>()

/** The build wraps each `import()` in this. Dispatches `vite:preloadError` on failure, as Vite does. @param files the chunk's files */
export async function fetchThenImport<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T | undefined> {
  try {
    await Promise.all(files.map(fetchOnce))
    return await load()
  } catch (error) {
    const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: error })
    if (dispatchEvent(event)) throw error
    return undefined
  }
}

function fetchOnce(file: string): Promise<void> {
  const fetching = fetches.get(file) ?? fetchFile(`/${file}`)
  fetches.set(file, fetching)
  fetching.catch(() => fetches.delete(file))
  return fetching
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
