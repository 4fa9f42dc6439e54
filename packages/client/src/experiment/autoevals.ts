import type { Evaluator } from './experiment-types.ts'

/** The result of an evaluator of the package `autoevals`. */
interface AutoevalsScore {
  readonly name: string
  readonly score: number | null
  readonly metadata?: Record<string, unknown> | undefined
}

/**
 * Wraps an evaluator of the package `autoevals`: `expectedOutput` is passed as `expected`, and a score of null becomes
 * 0. To leave such a score out, call the evaluator in one of your own, and return nothing.
 *
 * @param evaluator `Factuality`, `Levenshtein`, …
 * @param params its other parameters, for example `{ model: 'gpt-5' }`
 * @example
 * evaluators: [createEvaluatorFromAutoevals(Levenshtein)]
 */
export function createEvaluatorFromAutoevals<Params extends object>(
  evaluator: (args: Params) => AutoevalsScore | PromiseLike<AutoevalsScore>,
  params?: Partial<Params>,
): Evaluator {
  const judge: Evaluator = async ({ input, output, expectedOutput }) => {
    const args: object = { ...params, input, output, expected: expectedOutput }
    const { name, score, metadata } = await evaluator(args as Params)
    return { name, value: score ?? 0, ...(metadata ? { metadata } : {}) }
  }
  // Messages name the evaluator.
  return Object.defineProperty(judge, 'name', { value: evaluator.name })
}
