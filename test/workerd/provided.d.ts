// What global setups hand to tests inside workerd.
export {}

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the vendor simulator. */
    vendor: string
    /** Address of a reviewer's webhook. */
    webhook: string
  }
}
