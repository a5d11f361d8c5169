// Loads the page's scripts after the first paint, because the HTML may already show the page. The build adds their addresses as preloads.
;(() => {
  const load = async () => {
    for (const { href } of document.querySelectorAll('link[rel=modulepreload]')) {
      // Each runs in a task of its own, so that it does not delay input.
      await new Promise((resume) => setTimeout(resume))
      await import(href)
    }
  }
  // A hidden page is never painted.
  if (document.hidden) void load()
  else requestAnimationFrame(() => void load())
})()
