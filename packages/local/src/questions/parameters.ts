/** A parameter of a question: a flag of `svc traces`, and a field of a tool of `svc mcp`. */
export interface Parameter {
  readonly kind: 'text' | 'number' | 'flag' | 'time' | 'duration'
  /** Its value in `--help`. */
  readonly value?: string
  readonly about: string
  /** Left out, the question cannot be asked. It stands without a flag on a command line. */
  readonly isRequired?: boolean
  /** It stands without a flag on a command line. */
  readonly isOperand?: boolean
}

type Parameters = Readonly<Record<string, Parameter>>

/** A question as commands and tools describe it. */
export interface QuestionRow {
  readonly about: string
  readonly parameters: Parameters
}

const FILTERS: Parameters = {
  since: { kind: 'time', value: '<time>', about: 'started after: 10m, 2h, 3d, or a date' },
  until: { kind: 'time', value: '<time>', about: 'started before: 10m, 2h, 3d, or a date' },
  name: { kind: 'text', value: '<name>', about: 'name of an observation or of the trace; * stands for anything' },
  type: { kind: 'text', value: '<type>', about: 'GENERATION, TOOL, AGENT, SPAN, …' },
  user: { kind: 'text', value: '<id>', about: 'id of the user' },
  session: { kind: 'text', value: '<id>', about: 'id of the session' },
  tag: { kind: 'text', value: '<tag>', about: 'tag of the trace' },
  model: { kind: 'text', value: '<model>', about: 'model; * stands for anything' },
  prompt: { kind: 'text', value: '<name>', about: 'name of the prompt that was used' },
  environment: { kind: 'text', value: '<name>', about: 'environment: production, staging, …' },
  level: { kind: 'text', value: '<level>', about: 'DEBUG, DEFAULT, WARNING or ERROR' },
  latency: { kind: 'duration', value: '<time>', about: 'took at least: 500ms, 2s, 1m' },
  cost: { kind: 'number', value: '<usd>', about: 'one call cost at least, in US dollars' },
  text: { kind: 'text', value: '<text>', about: 'text in an input or output' },
}

const LIMIT: Parameters = { limit: { kind: 'number', value: '<n>', about: 'rows at most (default 20)' } }
const BUDGET: Parameters = {
  maxTokens: { kind: 'number', value: '<n>', about: 'length of the answer at most (default 2000 when piped)' },
}
const id = (about: string, isRequired = true): Parameter => ({
  kind: 'text',
  value: '<id>',
  about,
  isOperand: true,
  ...(isRequired && { isRequired }),
})

/** What can be asked, by the names of the commands. `svc traces` and the tools are made from this table. */
export const QUESTIONS = {
  list: {
    about: 'List traces, the newest first. All conditions hold for one observation of a trace',
    parameters: { ...FILTERS, ...LIMIT, ...BUDGET },
  },
  show: {
    about: 'Show a trace: what failed first, then its tree with durations, tokens and costs, inputs and outputs',
    parameters: {
      id: id('id of the trace, or the beginning of it'),
      observation: { kind: 'text', value: '<id>', about: 'this observation alone, or the beginning of its id' },
      io: { kind: 'text', value: '<full|none>', about: 'full: inputs and outputs are not cut; none: without them' },
      ...BUDGET,
    },
  },
  errors: {
    about: 'Group what failed by message and place, with counts, times, and an example with its input (default: 24h)',
    parameters: { ...FILTERS, ...LIMIT, ...BUDGET },
  },
  diff: {
    about: 'Compare two traces: the first observation that differs, then what became slower, dearer, longer',
    parameters: {
      a: id('id of a trace, or the beginning of it'),
      b: id('id of another trace; with --prompt it may be left out', false),
      prompt: { kind: 'flag', about: 'what changed in the context of a model call from one turn to the next' },
      ...BUDGET,
    },
  },
  stats: {
    about: 'Count calls, errors, latencies, tokens and costs by group, compared with the period before (default: 24h)',
    parameters: {
      by: {
        kind: 'text',
        value: '<what>',
        about: 'name, type, model, user, session, prompt, version, release, environment or level (default: name)',
      },
      sort: {
        kind: 'text',
        value: '<figure>',
        about: 'errors, slower, latency, cost, tokens or count (default: errors)',
      },
      ...FILTERS,
      ...LIMIT,
      ...BUDGET,
    },
  },
  prompts: {
    about: 'List prompts with their versions and labels',
    parameters: { name: { kind: 'text', value: '<name>', about: 'this prompt alone' }, ...LIMIT, ...BUDGET },
  },
  datasets: {
    about: 'List datasets, or the items of one',
    parameters: { name: { kind: 'text', value: '<name>', about: 'items of this dataset' }, ...LIMIT, ...BUDGET },
  },
} as const satisfies Record<string, QuestionRow>

export type QuestionName = keyof typeof QUESTIONS
