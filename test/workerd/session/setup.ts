// Before every file of this project: no object holds anything of the file before it (they share a worker).
import { reset } from 'cloudflare:test'

await reset()
