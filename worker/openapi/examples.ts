// The examples of the document: one value for each named schema, one problem for each code. They are
// shared by reference, so that an operation is not buried under those of its refusals.
import exampleValues from './examples.json' with { type: 'json' }
import parameterExamples from './parameter-examples.json' with { type: 'json' }
import { problems, type ProblemCode } from '../problems.ts'
import type { SchemaName } from '../schemas.ts'

export const examples: Readonly<Record<SchemaName, unknown>> = exampleValues

const ofParameters: Readonly<Record<string, string>> = parameterExamples

const requestId = '2f0c4c2e-6f5d-4a53-9d1b-9f6a2f1c7b10'

const problemName = (code: ProblemCode): string => `problem_${code}`

const reference = (name: string) => ({ $ref: `#/components/examples/${name}` })

/** `examples` of a body with this schema. */
export const examplesOf = (name: SchemaName) => ({ example: reference(name) })

/** `examples` of an answer that may be one of these refusals. */
export const problemExamples = (codes: readonly ProblemCode[]) =>
  Object.fromEntries(codes.map((code) => [code, reference(problemName(code))]))

/** An example for a parameter of this name; undefined where none is needed. */
export const parameterExample = (name: string): string | undefined => ofParameters[name]

/** `components.examples`. */
export function componentExamples(): Record<string, { summary: string; value: unknown }> {
  const out: Record<string, { summary: string; value: unknown }> = {}
  for (const [name, value] of Object.entries(examples)) out[name] = { summary: name, value }
  for (const code of Object.keys(problems) as ProblemCode[]) {
    const { title, status } = problems[code]
    const type = `urn:portcullis:problem:${code}`
    const instance = `urn:portcullis:request:${requestId}`
    out[problemName(code)] = { summary: title, value: { type, title, status, code, instance } }
  }
  return out
}
