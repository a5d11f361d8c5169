import { useEffect, useRef } from 'react'

const ID = 'tip'

/** One tooltip for the whole page. Shows `data-tip` on hover and keyboard focus. Escape hides it. */
export function Tooltips() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => (ref.current ? listen(ref.current) : undefined), [])
  return (
    <div
      ref={ref}
      id={ID}
      role="tooltip"
      popover="manual"
      className="pointer-events-none fixed inset-auto m-0 max-w-72 rounded-6 border border-line bg-surface-3 px-2 py-1 text-12 text-ink-1 shadow-overlay"
    />
  )
}

function listen(tip: HTMLElement): () => void {
  let owner: HTMLElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = () => {
    clearTimeout(timer)
    if (owner?.getAttribute('aria-describedby') === ID) owner.removeAttribute('aria-describedby')
    owner = undefined
    if (tip.matches(':popover-open')) tip.hidePopover()
  }
  const show = (target: HTMLElement, delay: number) => {
    if (target === owner) return
    hide()
    owner = target
    timer = setTimeout(() => {
      const text = target.dataset['tip']
      // Over an open menu, it would cover it.
      if (!text || !target.isConnected || target.ariaExpanded === 'true') return
      tip.textContent = text
      // No description if it repeats the accessible name.
      if (target.getAttribute('aria-label') !== text && !target.hasAttribute('aria-describedby'))
        target.setAttribute('aria-describedby', ID)
      tip.showPopover()
      place(tip, target)
    }, delay)
  }
  const targetOf = (event: Event) => (event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null)
  const onPointerOver = (event: Event) => {
    const target = targetOf(event)
    if (target) show(target, 350)
    else if (owner && !owner.matches(':focus-visible')) hide()
  }
  const onFocus = (event: Event) => {
    const target = targetOf(event)
    if (target?.matches(':focus-visible')) show(target, 100)
  }
  const controller = new AbortController()
  const { signal } = controller
  document.addEventListener('pointerover', onPointerOver, { signal })
  document.addEventListener('focusin', onFocus, { signal })
  document.addEventListener('focusout', hide, { signal })
  document.addEventListener('pointerdown', hide, { signal })
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), { signal })
  document.addEventListener('scroll', hide, { signal, capture: true, passive: true })
  return () => {
    controller.abort()
    hide()
  }
}

function place(tip: HTMLElement, target: HTMLElement): void {
  const box = target.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const left = Math.min(Math.max(8, box.left + box.width / 2 - width / 2), innerWidth - width - 8)
  const above = box.top - height - 6
  tip.style.left = `${left}px`
  tip.style.top = `${above >= 8 ? above : box.bottom + 6}px`
}
