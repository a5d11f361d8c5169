import type { ReactNode } from 'react'

interface FormProps {
  id?: string
  className?: string
  onSubmit: (form: HTMLFormElement) => void
  children: ReactNode
}

/** A form that is sent by the page, which also says what is wrong with it. */
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
