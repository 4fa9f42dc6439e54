import type { Evaluator } from './experiment-types.ts'

/** What an evaluator of the package `autoevals` answers. */
interface AutoevalsScore {
  readonly name: string
  readonly score: number | null
  readonly metadata?: Record<string, unknown> | undefined
}

/**
 * Makes an evaluator of one of the package `autoevals`: expected output becomes `expected`, a score of null counts 0.
 *
 * @param evaluator `Factuality`, `Levenshtein`, …
 * @param params what else it takes, for example `{ model: 'gpt-5' }`
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
  // The name that messages call it by.
  return Object.defineProperty(judge, 'name', { value: evaluator.name })
}
