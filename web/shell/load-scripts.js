// Runs the page's scripts after the first paint, because the HTML may already show the page. The build adds their addresses as preloads.
;(() => {
  const load = async () => {
    const links = [...document.querySelectorAll('link[rel=modulepreload]')]
    // A rendered page has disabled them, so that they do not delay its first paint. A new element is loaded.
    for (const link of links) if (link.media) link.replaceWith(Object.assign(link.cloneNode(), { media: '' }))
    try {
      for (const { href } of links) {
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
  const isRendered = document.querySelector('link[rel=modulepreload][media]') !== null
  // theme-script.js hides the rendered login page there.
  const isCallback = document.documentElement.dataset.page === 'callback'
  // A hidden page is never painted.
  if (document.hidden) void load()
  else if (!isRendered || isCallback) requestAnimationFrame(() => setTimeout(load))
  else {
    // The browser tells when a rendered page was painted. An animation frame ends before that.
    new PerformanceObserver((entries, observer) => {
      if (entries.getEntriesByName('first-contentful-paint').length === 0) return
      observer.disconnect()
      void load()
    }).observe({ type: 'paint', buffered: true })
  }
})()
