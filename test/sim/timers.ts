// `node:timers/promises` over simulated time.
export const setTimeout = (ms: number, value?: unknown): Promise<unknown> =>
  new Promise((resolve) => void globalThis.setTimeout(() => resolve(value), ms))
