/** What a model costs: US dollars for a million tokens. */
export interface Price {
  /** Fits the name of the model, also after the name of a vendor (`openai/`). */
  readonly model: RegExp
  readonly input: number
  readonly output: number
  /** Input that came from the cache; as `input` when left out. */
  readonly cached?: number
  /** Input that was written to the cache; as `input` when left out. */
  readonly written?: number
}

const dated = (name: string) => new RegExp(`^(?:[\\w.-]+/)*${name}(?:[-@:]?(?:latest|preview|exp|\\d[\\w.-]*))*$`, 'i')
const price = (name: string, input: number, output: number, cached?: number, written?: number): Price => ({
  model: dated(name),
  input,
  output,
  ...(cached === undefined ? {} : { cached }),
  ...(written === undefined ? {} : { written }),
})

/**
 * List prices of the models that people use most, as their vendors' price pages had them: a hint while one writes code,
 * never a bill. The first row that fits counts. Whoever sends costs, or a price through `models` of the API, is not asked here.
 */
export const PRICES: readonly Price[] = [
  price('gpt-5-mini', 0.25, 2, 0.025),
  price('gpt-5-nano', 0.05, 0.4, 0.005),
  price('gpt-5(?:\\.1)?', 1.25, 10, 0.125),
  price('gpt-4\\.1-mini', 0.4, 1.6, 0.1),
  price('gpt-4\\.1-nano', 0.1, 0.4, 0.025),
  price('gpt-4\\.1', 2, 8, 0.5),
  price('gpt-4o-mini', 0.15, 0.6, 0.075),
  price('gpt-4o', 2.5, 10, 1.25),
  price('gpt-4-turbo', 10, 30),
  price('gpt-3\\.5-turbo', 0.5, 1.5),
  price('o4-mini', 1.1, 4.4, 0.275),
  price('o3-mini', 1.1, 4.4, 0.55),
  price('o3', 2, 8, 0.5),
  price('o1', 15, 60, 7.5),
  price('text-embedding-3-small', 0.02, 0),
  price('text-embedding-3-large', 0.13, 0),
  price('(?:anthropic\\.)?claude-opus-4-5', 5, 25, 0.5, 6.25),
  price('(?:anthropic\\.)?claude-opus-4(?:-1|-0)?', 15, 75, 1.5, 18.75),
  price('(?:anthropic\\.)?claude-sonnet-4(?:-5|-0)?', 3, 15, 0.3, 3.75),
  price('(?:anthropic\\.)?claude-haiku-4-5', 1, 5, 0.1, 1.25),
  price('(?:anthropic\\.)?claude-3-[57]-sonnet', 3, 15, 0.3, 3.75),
  price('(?:anthropic\\.)?claude-3-5-haiku', 0.8, 4, 0.08, 1),
  price('(?:anthropic\\.)?claude-3-haiku', 0.25, 1.25, 0.03, 0.3),
  price('(?:models/)?gemini-2\\.5-pro', 1.25, 10, 0.31),
  price('(?:models/)?gemini-2\\.5-flash-lite', 0.1, 0.4, 0.025),
  price('(?:models/)?gemini-2\\.5-flash', 0.3, 2.5, 0.075),
  price('(?:models/)?gemini-2\\.0-flash', 0.1, 0.4, 0.025),
]
