// The stand-in of the model binding as a Worker of its own, reached as the platform's binding is.
import { WorkerEntrypoint } from 'cloudflare:workers'
import { standInRun } from '../vendor-sim/binding.ts'

export class Models extends WorkerEntrypoint {
  run(model: string, input: Record<string, unknown>): Promise<unknown> {
    return standInRun(model, input)
  }
}

export default {
  fetch: (): Response => new Response('the stand-in of the model binding', { status: 404 }),
}
