// Types of benchmark peers that ship none.
declare module 'llm_guardrail' {
  export function checkInjection(text: string): Promise<{ injected: boolean; probability: number }>
}
