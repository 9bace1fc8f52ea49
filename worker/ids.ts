// How ids look. What does not even look like one of its kind is answered like one that does not exist.
import { z } from 'zod'

export const idOf = (kind: string) =>
  z.string().regex(new RegExp(`^${kind}_[0-9a-hjkmnp-tv-z]{26}$`))

export const planIdSchema = idOf('plan')
