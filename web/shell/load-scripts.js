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
      // The links of a rendered page work without scripts. The login page then offers a reload.
      delete document.documentElement.dataset.page
      document.querySelector('[inert]')?.removeAttribute('inert')
      // For early-press.js.
      dispatchEvent(new Event('muster:no-script'))
      throw error
    }
  }
  // A hidden page is never painted. login.css hides an incomplete one.
  const isHidden = document.hidden || document.documentElement.dataset.page === 'incomplete'
  if (isHidden) void load()
  else if (document.querySelector('link[rel=modulepreload][media]') === null) requestAnimationFrame(() => setTimeout(load))
  else {
    // The browser tells when a rendered page was painted. An animation frame ends before that.
    const observer = new PerformanceObserver((entries) => {
      if (entries.getEntriesByName('first-contentful-paint').length > 0) run()
    })
    // Without a paint, such as in a tab that was left at once.
    const timer = setTimeout(() => run(), 2000)
    const run = () => {
      observer.disconnect()
      clearTimeout(timer)
      void load()
    }
    observer.observe({ type: 'paint', buffered: true })
  }
})()
