import type { EvaluationRuleMapping, EvaluationRuleReadMapping } from './evaluation-rules.ts'
import type { CursorPageOf, MessageResponse, ValueOf } from './pages.ts'
export const EvaluatorType = { LlmAsJudge: 'llm_as_judge', Code: 'code' } as const
export type EvaluatorType = ValueOf<typeof EvaluatorType>

export const CodeEvaluatorSourceCodeLanguage = { Python: 'PYTHON', Typescript: 'TYPESCRIPT' } as const
export type CodeEvaluatorSourceCodeLanguage = ValueOf<typeof CodeEvaluatorSourceCodeLanguage>

export interface EvaluatorModelConfig {
  provider: string
  model: string
}

export const EvaluatorOutputDataType = { Numeric: 'NUMERIC', Boolean: 'BOOLEAN', Categorical: 'CATEGORICAL' } as const
export type EvaluatorOutputDataType = ValueOf<typeof EvaluatorOutputDataType>

export interface EvaluatorOutputFieldDefinition {
  description: string
}

export type EvaluatorOutputDefinition =
  | (PublicNumericEvaluatorOutputDefinition & { dataType: 'NUMERIC' })
  | (PublicBooleanEvaluatorOutputDefinition & { dataType: 'BOOLEAN' })
  | (PublicCategoricalEvaluatorOutputDefinition & { dataType: 'CATEGORICAL' })

export interface PublicNumericEvaluatorOutputScoreDefinition {
  description: string
  minValue?: number
  maxValue?: number
}

export interface PublicNumericEvaluatorOutputDefinition {
  dataType: EvaluatorOutputDataType
  reasoning: EvaluatorOutputFieldDefinition
  score: PublicNumericEvaluatorOutputScoreDefinition
}

export interface PublicBooleanEvaluatorOutputDefinition {
  dataType: EvaluatorOutputDataType
  reasoning: EvaluatorOutputFieldDefinition
  score: EvaluatorOutputFieldDefinition
}

export interface PublicCategoricalEvaluatorOutputScoreDefinition {
  description: string
  categories: string[]
  shouldAllowMultipleMatches: boolean
}

export interface PublicCategoricalEvaluatorOutputDefinition {
  dataType: EvaluatorOutputDataType
  reasoning: EvaluatorOutputFieldDefinition
  score: PublicCategoricalEvaluatorOutputScoreDefinition
}

export type PublicEvaluatorOutputDefinition = EvaluatorOutputDefinition

export type DeleteEvaluatorResponse = MessageResponse

/** An evaluator: a model or code. */
export type Evaluator = (LlmAsJudgeEvaluator & { type: 'llm_as_judge' }) | (CodeEvaluator & { type: 'code' })

export interface EvaluatorBase {
  id: string
  name: string
  version: number
  variables: string[]
  mapping: EvaluationRuleReadMapping[] | null
  evaluationRuleCount: number
  createdAt: string
  updatedAt: string
}

export interface LlmAsJudgeEvaluator extends EvaluatorBase {
  prompt: string
  outputDefinition: PublicEvaluatorOutputDefinition
  modelConfig: EvaluatorModelConfig | null
}

export interface CodeEvaluator extends EvaluatorBase {
  sourceCode: string
  sourceCodeLanguage: CodeEvaluatorSourceCodeLanguage
}

export type CreateEvaluatorRequest =
  | (CreateLlmAsJudgeEvaluatorRequest & { type: 'llm_as_judge' })
  | (CreateCodeEvaluatorRequest & { type: 'code' })

export interface CreateLlmAsJudgeEvaluatorRequest {
  name: string
  prompt: string
  outputDefinition: EvaluatorOutputDefinition
  modelConfig?: EvaluatorModelConfig | null | undefined
  mapping?: readonly EvaluationRuleMapping[] | undefined
}

export interface CreateCodeEvaluatorRequest {
  name: string
  sourceCode: string
  sourceCodeLanguage: CodeEvaluatorSourceCodeLanguage
}

export type EvaluatorsPage = CursorPageOf<Evaluator>
