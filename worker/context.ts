// What every handler of the door can touch, and who is speaking to it.
import type { Context } from 'hono'
import type { Credential } from '../adapters/credentials.ts'
import type { Env } from '../durable-objects/env.ts'

export type AppEnv = {
  Bindings: Env
  Variables: {
    /** Names this request in logs and in `instance` of a problem. */
    requestId: string
  }
}

export type Ctx = Context<AppEnv>

/** Somebody who presented a valid credential of a site. */
export type Principal = Credential

/** The planner that is spoken to, by its name, since it is told less; null: a person. */
export const plannerOf = ({ role, subject }: Pick<Principal, 'role' | 'subject'>): string | null =>
  role === 'planner' ? subject : null
