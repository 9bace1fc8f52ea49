// Before every file of this project: no object holds anything of the file before it (they share a worker),
// and the database has the project's own migrations.
import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { forgetAnswers } from './support/openapi.ts'

await reset()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
forgetAnswers()
