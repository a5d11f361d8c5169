/** An image in a form: its ID is sent, and its address is shown. */
import { z } from 'zod'

export const FormImage = z
  .object({ id: z.string(), url: z.string() })
  .nullable()
  .transform((image) => image?.id ?? null)
export type FormImage = z.input<typeof FormImage>

export const formImage = (id: string | null, url: string | null): FormImage => (id === null ? null : { id, url: url ?? '' })
