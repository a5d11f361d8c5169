import type { ReactNode } from 'react'

interface FormProps {
  id?: string
  className?: string
  onSubmit: (form: HTMLFormElement) => void
  children: ReactNode
}

/** A form without native submission and validation. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event.currentTarget)
      }}
    />
  )
}
