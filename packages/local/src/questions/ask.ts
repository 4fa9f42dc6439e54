import { diff } from './diff.ts'
import { errors } from './errors.ts'
import { list } from './list.ts'
import type { QuestionName } from './parameters.ts'
import type { Ask } from './question.ts'
import { show } from './show.ts'
import { stats } from './stats.ts'
import { datasets, prompts } from './stored.ts'

/** Answers questions about traces, by their names. */
export const ANSWERS: Readonly<Record<QuestionName, Ask>> = {
  list,
  show,
  errors,
  diff,
  stats,
  prompts,
  datasets,
}
