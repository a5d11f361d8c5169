import type { Ref } from 'react'
import { IMAGE_TYPES } from '#contract/images.ts'

interface ImageInputProps {
  /** It is opened by a button: `click()`. */
  ref: Ref<HTMLInputElement>
  onTake: (file: File) => void
}

export function ImageInput({ ref, onTake }: ImageInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept={IMAGE_TYPES.join(',')}
      onChange={({ target }) => {
        const [chosen] = target.files ?? []
        // The same file can be chosen again.
        target.value = ''
        if (chosen) onTake(chosen)
      }}
    />
  )
}
