import { CircleAlert } from 'lucide-react'

interface FieldErrorProps {
  /** For the control's `aria-describedby`. */
  id: string
  children: string | undefined
  /** For screen readers, where nothing is wrong. */
  said?: string
}

export function FieldError({ id, children, said }: FieldErrorProps) {
  return (
    <p id={id} aria-live="polite" className={children === undefined ? 'sr-only' : 'mt-1.5 flex gap-1.5 text-13 text-danger'}>
      {children === undefined ? (
        said
      ) : (
        <>
          <CircleAlert size={14} className="mt-[3px] shrink-0" aria-hidden="true" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
        </>
      )}
    </p>
  )
}
