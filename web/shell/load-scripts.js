// Loads the page's scripts after the first paint, because the HTML may already show the page. The build adds their addresses as preloads.
;(() => {
  const load = async () => {
    try {
      for (const { href } of document.querySelectorAll('link[rel=modulepreload]')) {
        // Runs each in its own task, so that it does not delay input.
        await new Promise((resume) => setTimeout(resume))
        await import(href)
      }
    } catch (error) {
      // The links of a rendered page work without scripts.
      document.querySelector('[inert]')?.removeAttribute('inert')
      // For early-press.js.
      dispatchEvent(new Event('muster:no-script'))
      throw error
    }
  }
  // A hidden page is never painted.
  if (document.hidden) void load()
  else requestAnimationFrame(() => void load())
})()
