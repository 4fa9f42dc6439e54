import type { EvaluatorType } from './evaluators.ts'
import type { CursorMeta } from './pages.ts'

export const EvaluationRuleMappingSource = {
  Input: 'input',
  Output: 'output',
  Metadata: 'metadata',
  ToolCalls: 'tool_calls',
  ExpectedOutput: 'expected_output',
  ExperimentItemMetadata: 'experiment_item_metadata',
} as const
export type EvaluationRuleMappingSource = (typeof EvaluationRuleMappingSource)[keyof typeof EvaluationRuleMappingSource]

export const EvaluationRuleStringFilterOperator = {
  Equal: '=',
  Contains: 'contains',
  DoesNotContain: 'does not contain',
  StartsWith: 'starts with',
  EndsWith: 'ends with',
} as const
export type EvaluationRuleStringFilterOperator =
  (typeof EvaluationRuleStringFilterOperator)[keyof typeof EvaluationRuleStringFilterOperator]

export const EvaluationRuleNumberFilterOperator = {
  Equal: '=',
  GreaterThan: '>',
  LessThan: '<',
  GreaterThanOrEqual: '>=',
  LessThanOrEqual: '<=',
} as const
export type EvaluationRuleNumberFilterOperator =
  (typeof EvaluationRuleNumberFilterOperator)[keyof typeof EvaluationRuleNumberFilterOperator]

export const EvaluationRuleOptionsFilterOperator = { AnyOf: 'any of', NoneOf: 'none of' } as const
export type EvaluationRuleOptionsFilterOperator =
  (typeof EvaluationRuleOptionsFilterOperator)[keyof typeof EvaluationRuleOptionsFilterOperator]

export const EvaluationRuleArrayOptionsFilterOperator = { AnyOf: 'any of', NoneOf: 'none of', AllOf: 'all of' } as const
export type EvaluationRuleArrayOptionsFilterOperator =
  (typeof EvaluationRuleArrayOptionsFilterOperator)[keyof typeof EvaluationRuleArrayOptionsFilterOperator]

export const EvaluationRuleBooleanFilterOperator = { Equal: '=', NotEqual: '<>' } as const
export type EvaluationRuleBooleanFilterOperator =
  (typeof EvaluationRuleBooleanFilterOperator)[keyof typeof EvaluationRuleBooleanFilterOperator]

export const EvaluationRuleNullFilterOperator = { IsNull: 'is null', IsNotNull: 'is not null' } as const
export type EvaluationRuleNullFilterOperator =
  (typeof EvaluationRuleNullFilterOperator)[keyof typeof EvaluationRuleNullFilterOperator]

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

/** The source of a variable's value. */
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

/** A rule that determines when evaluators run, and on which objects. */
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

/** Omitted fields are not changed; at least one is required. */
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
