import { Toaster as Sonner } from 'sonner'
import { m } from '#messages'

/** Toasts pause while hovered and while the tab is hidden. */
export function Toaster() {
  return (
    <Sonner
      // `!` overrides Sonner's styles, which are not in a layer.
      className="font-sans! in-[body:has([data-save-bar])]:bottom-[92px]! max-sm:in-[body:has([data-bottom-tabs])]:bottom-[122px]! max-sm:in-[body:has([data-save-bar])]:bottom-[140px]! max-sm:in-[body:has([data-bottom-tabs]_[data-save-bar])]:bottom-[184px]!"
      position="bottom-right"
      visibleToasts={10}
      duration={3000}
      closeButton
      containerAriaLabel={m.ui_toasts()}
      gap={8}
      mobileOffset={{ bottom: 76, left: 16, right: 16 }}
      toastOptions={{
        closeButtonAriaLabel: m.ui_toast_close(),
        unstyled: true,
        classNames: {
          toast:
            'pointer-events-auto flex w-(--width) items-start gap-2.5 rounded-10 border border-line bg-surface-3 py-3 pr-9 pl-3.5 text-14 leading-5 text-ink-1 shadow-overlay has-data-button:flex-wrap',
          title: 'font-medium',
          description: 'text-ink-2 [overflow-wrap:anywhere]',
          closeButton: 'absolute top-2 right-2 flex size-6 items-center justify-center rounded-6 text-ink-3 hover:text-ink-1',
          // Below the text.
          actionButton: '-mt-1 ml-[29px] min-h-6 rounded-6 font-medium text-accent hover:underline',
          content: 'in-[li:has([data-button])]:w-[calc(100%-30px)]',
          icon: 'mt-0.5 flex-none in-data-[type=success]:text-ok in-data-[type=error]:text-danger',
        },
      }}
    />
  )
}
