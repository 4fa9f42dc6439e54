import type { EvaluatorType } from './evaluators.ts'
import type { CursorMeta } from './pages.ts'

export type EvaluationRuleMappingSource =
  | 'input'
  | 'output'
  | 'metadata'
  | 'tool_calls'
  | 'expected_output'
  | 'experiment_item_metadata'

export type EvaluationRuleStringFilterOperator = '=' | 'contains' | 'does not contain' | 'starts with' | 'ends with'

export type EvaluationRuleNumberFilterOperator = '=' | '>' | '<' | '>=' | '<='

export type EvaluationRuleOptionsFilterOperator = 'any of' | 'none of'

export type EvaluationRuleArrayOptionsFilterOperator = 'any of' | 'none of' | 'all of'

export type EvaluationRuleBooleanFilterOperator = '=' | '<>'

export type EvaluationRuleNullFilterOperator = 'is null' | 'is not null'

export interface DateTimeEvaluationRuleFilter {
  column: string
  operator: EvaluationRuleNumberFilterOperator
  value: string
}

export interface StringEvaluationRuleFilter {
  column: string
  operator: EvaluationRuleStringFilterOperator
  value: string
}

export interface NumberEvaluationRuleFilter {
  column: string
  operator: EvaluationRuleNumberFilterOperator
  value: number
}

export interface StringOptionsEvaluationRuleFilter {
  column: string
  operator: EvaluationRuleOptionsFilterOperator
  value: string[]
}

export interface ArrayOptionsEvaluationRuleFilter {
  column: string
  operator: EvaluationRuleArrayOptionsFilterOperator
  value: string[]
}

export interface StringObjectEvaluationRuleFilter {
  column: string
  key: string
  operator: EvaluationRuleStringFilterOperator
  value: string
}

export interface NumberObjectEvaluationRuleFilter {
  column: string
  key: string
  operator: EvaluationRuleNumberFilterOperator
  value: number
}

export interface CategoryOptionsEvaluationRuleFilter {
  column: string
  key: string
  operator: EvaluationRuleOptionsFilterOperator
  value: string[]
}

export interface BooleanEvaluationRuleFilter {
  column: string
  operator: EvaluationRuleBooleanFilterOperator
  value: boolean
}

export interface NullEvaluationRuleFilter {
  column: string
  operator: EvaluationRuleNullFilterOperator
  value?: string
}

/** Where a variable of an evaluator takes its value from. */
export interface EvaluationRuleMapping {
  variable: string
  source: EvaluationRuleMappingSource
  jsonPath?: string
}

export interface EvaluationRuleReadMapping {
  variable: string
  source: EvaluationRuleMappingSource | null
  jsonPath?: string
}

/** A condition, by the type of its column. */
export type EvaluationRuleFilter =
  | (DateTimeEvaluationRuleFilter & { type: 'datetime' })
  | (StringEvaluationRuleFilter & { type: 'string' })
  | (NumberEvaluationRuleFilter & { type: 'number' })
  | (StringOptionsEvaluationRuleFilter & { type: 'stringOptions' })
  | (CategoryOptionsEvaluationRuleFilter & { type: 'categoryOptions' })
  | (ArrayOptionsEvaluationRuleFilter & { type: 'arrayOptions' })
  | (StringObjectEvaluationRuleFilter & { type: 'stringObject' })
  | (NumberObjectEvaluationRuleFilter & { type: 'numberObject' })
  | (BooleanEvaluationRuleFilter & { type: 'boolean' })
  | (NullEvaluationRuleFilter & { type: 'null' })

/** When and on what evaluators run. */
export interface EvaluationRule {
  id: string
  name: string
  createdBy: string | null
  enabled: boolean
  /** Share of what fits that is evaluated: 0 to 1. */
  sampling: number
  filter: EvaluationRuleFilter[]
  evaluatorAssignments: EvaluationRuleAssignment[]
  createdAt: string
  updatedAt: string
}

export interface EvaluationRuleAssignment {
  evaluator: { id: string; name: string; type: EvaluatorType }
  variableMapping: EvaluationRuleReadMapping[] | null
}

export interface CreateEvaluationRuleRequest {
  name: string
  enabled: boolean
  /** Share of what fits that is evaluated: 0 to 1. */
  sampling?: number | undefined
  filter?: readonly EvaluationRuleFilter[] | undefined
  evaluatorAssignments: readonly CreateEvaluationRuleAssignment[]
}

export interface CreateEvaluationRuleAssignment {
  evaluatorId: string
  variableMapping?: readonly EvaluationRuleMapping[] | undefined
}

/** What is left out stays; at least one is needed. */
export type UpdateEvaluationRuleRequest = {
  [Field in keyof CreateEvaluationRuleRequest]?: CreateEvaluationRuleRequest[Field] | undefined
}

export interface EvaluationRulesPage {
  data: EvaluationRule[]
  meta: CursorMeta
}

export interface DeleteEvaluationRuleResponse {
  id: string
}
