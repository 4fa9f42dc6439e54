/** The prices of a model, in US dollars for a million tokens. */
export interface Price {
  readonly modelName: string
  /** Regular expression for the names of the model, without regard to case: also after a vendor (`openai/`), and dated. */
  readonly pattern: string
  readonly input: number
  readonly output: number
  /** Input that came from the cache; as `input` when left out. */
  readonly cached?: number
  /** Input that was written to the cache for five minutes; as `input` when left out. */
  readonly written?: number
}

/** The day on which the table was last compared with its sources. */
export const PRICES_DATE = '2026-11-23'

// After a name: a date or a build number of at least two digits, because one digit makes another model of it.
const SUFFIX = '(?:[-@:]?(?:latest|preview|exp|v?\\d{2,}[\\w.-]*)|:\\d+)*'
const price = (modelName: string, input: number, output: number, cached?: number, written?: number): Price => ({
  modelName,
  pattern: `^(?:[\\w.-]+/)*(?:[\\w-]+\\.)*${modelName.replaceAll('.', '\\.')}${SUFFIX}$`,
  input,
  output,
  ...(cached === undefined ? {} : { cached }),
  ...(written === undefined ? {} : { written }),
})

/**
 * List prices for a request of usual length: an estimate while one writes code, never a bill. Tiers for long prompts,
 * batches and priority are not in it. No vendor publishes prices for programs, so they were copied by hand:
 * - Anthropic: a stored copy of platform.claude.com/docs/en/about-claude/pricing.
 * - OpenAI, GPT-5 mini and GPT-5.3 to 5.6: the table of GitHub Copilot's documentation (github/docs,
 *   data/tables/copilot/models-and-pricing.yml), which bills at list price.
 * - Rows below "Not verified": from memory, or from tables of other open source projects.
 */
export const PRICES: readonly Price[] = [
  price('gpt-5.6-luna', 0.2, 1.2, 0.02, 0.25),
  price('gpt-5.6-sol', 5, 30, 0.5, 6.25),
  price('gpt-5.6-terra', 2, 12, 0.2, 2.5),
  price('gpt-5.5', 5, 30, 0.5),
  price('gpt-5.4-mini', 0.75, 4.5, 0.075),
  price('gpt-5.4-nano', 0.2, 1.25, 0.02),
  price('gpt-5.4', 2.5, 15, 0.25),
  price('gpt-5.3-codex', 1.75, 14, 0.175),
  price('gpt-5-mini', 0.25, 2, 0.025),
  price('claude-fable-5-1', 10, 50, 0.25, 12.5),
  price('claude-fable-5', 10, 50, 1, 12.5),
  price('claude-opus-5', 5, 25, 0.5, 6.25),
  price('claude-opus-4-8', 5, 25, 0.5, 6.25),
  price('claude-opus-4-7', 5, 25, 0.5, 6.25),
  price('claude-opus-4-6', 5, 25, 0.5, 6.25),
  price('claude-opus-4-5', 5, 25, 0.5, 6.25),
  price('claude-opus-4-1', 15, 75, 1.5, 18.75),
  price('claude-sonnet-5', 2, 10, 0.2, 2.5),
  price('claude-sonnet-4-6', 3, 15, 0.3, 3.75),
  price('claude-sonnet-4-5', 3, 15, 0.3, 3.75),
  price('claude-haiku-4-5', 1, 5, 0.1, 1.25),
  // Not verified.
  price('claude-opus-5-5', 4, 20, 0.2, 5),
  price('claude-sonnet-5-5', 2, 10, 0.1, 2.5),
  price('gpt-5.2', 1.75, 14, 0.175),
  price('gpt-5.1', 1.25, 10, 0.125),
  price('gpt-5-nano', 0.05, 0.4, 0.005),
  price('gpt-5', 1.25, 10, 0.125),
  price('gpt-4.1-mini', 0.4, 1.6, 0.1),
  price('gpt-4.1-nano', 0.1, 0.4, 0.025),
  price('gpt-4.1', 2, 8, 0.5),
  price('gpt-4o-mini', 0.15, 0.6, 0.075),
  price('gpt-4o', 2.5, 10, 1.25),
  price('gpt-4-turbo', 10, 30),
  price('gpt-3.5-turbo', 0.5, 1.5),
  price('o4-mini', 1.1, 4.4, 0.275),
  price('o3-mini', 1.1, 4.4, 0.55),
  price('o3', 2, 8, 0.5),
  price('o1', 15, 60, 7.5),
  price('text-embedding-3-small', 0.02, 0),
  price('text-embedding-3-large', 0.13, 0),
  price('claude-opus-4-0', 15, 75, 1.5, 18.75),
  price('claude-opus-4', 15, 75, 1.5, 18.75),
  price('claude-sonnet-4-0', 3, 15, 0.3, 3.75),
  price('claude-sonnet-4', 3, 15, 0.3, 3.75),
  price('claude-3-7-sonnet', 3, 15, 0.3, 3.75),
  price('claude-3-5-sonnet', 3, 15, 0.3, 3.75),
  price('claude-3-5-haiku', 0.8, 4, 0.08, 1),
  price('claude-3-haiku', 0.25, 1.25, 0.03, 0.3),
  price('gemini-2.5-pro', 1.25, 10, 0.125),
  price('gemini-2.5-flash-lite', 0.1, 0.4, 0.01),
  price('gemini-2.5-flash', 0.3, 2.5, 0.03),
  price('gemini-2.0-flash', 0.1, 0.4, 0.025),
]
