import type { QuestionName, QuestionRow } from '../questions/parameters.ts'
import { QUESTIONS } from '../questions/parameters.ts'

export interface TraceTool extends QuestionRow {
  readonly name: string
  readonly question: QuestionName
  /** A parameter that the tool needs, and the question does not. */
  readonly required?: string
}

const tool = (name: string, question: QuestionName): TraceTool => ({ name, question, ...QUESTIONS[question] })

/** The tools that read, by the questions that they ask. */
export const READING_TOOLS: readonly TraceTool[] = [
  tool('list_traces', 'list'),
  {
    ...tool('search_traces', 'list'),
    about: 'Find traces by a text in an input or output, the newest first (default: the last 24h)',
    required: 'text',
  },
  tool('show_trace', 'show'),
  tool('list_errors', 'errors'),
  tool('diff_traces', 'diff'),
  tool('trace_stats', 'stats'),
  tool('list_prompts', 'prompts'),
  tool('list_datasets', 'datasets'),
]

/** The tool that a question is asked again with. */
export const toolFor = (question: QuestionName): string =>
  READING_TOOLS.find((each) => each.question === question)?.name ?? question
