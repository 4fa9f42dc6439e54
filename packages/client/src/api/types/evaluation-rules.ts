import type { EvaluatorType } from './evaluators.ts'
import type { ChangesOf, CursorPageOf, ValueOf } from './pages.ts'
export const EvaluationRuleMappingSource = {
  Input: 'input',
  Output: 'output',
  Metadata: 'metadata',
  ToolCalls: 'tool_calls',
  ExpectedOutput: 'expected_output',
  ExperimentItemMetadata: 'experiment_item_metadata',
} as const
export type EvaluationRuleMappingSource = ValueOf<typeof EvaluationRuleMappingSource>

export const EvaluationRuleStringFilterOperator = {
  Equal: '=',
  Contains: 'contains',
  DoesNotContain: 'does not contain',
  StartsWith: 'starts with',
  EndsWith: 'ends with',
} as const
export type EvaluationRuleStringFilterOperator = ValueOf<typeof EvaluationRuleStringFilterOperator>

export const EvaluationRuleNumberFilterOperator = {
  Equal: '=',
  GreaterThan: '>',
  LessThan: '<',
  GreaterThanOrEqual: '>=',
  LessThanOrEqual: '<=',
} as const
export type EvaluationRuleNumberFilterOperator = ValueOf<typeof EvaluationRuleNumberFilterOperator>

export const EvaluationRuleOptionsFilterOperator = { AnyOf: 'any of', NoneOf: 'none of' } as const
export type EvaluationRuleOptionsFilterOperator = ValueOf<typeof EvaluationRuleOptionsFilterOperator>

export const EvaluationRuleArrayOptionsFilterOperator = { AnyOf: 'any of', NoneOf: 'none of', AllOf: 'all of' } as const
export type EvaluationRuleArrayOptionsFilterOperator = ValueOf<typeof EvaluationRuleArrayOptionsFilterOperator>

export const EvaluationRuleBooleanFilterOperator = { Equal: '=', NotEqual: '<>' } as const
export type EvaluationRuleBooleanFilterOperator = ValueOf<typeof EvaluationRuleBooleanFilterOperator>

export const EvaluationRuleNullFilterOperator = { IsNull: 'is null', IsNotNull: 'is not null' } as const
export type EvaluationRuleNullFilterOperator = ValueOf<typeof EvaluationRuleNullFilterOperator>

export interface EvaluationRuleCondition<Operator, Value> {
  column: string
  operator: Operator
  value: Value
}

export interface EvaluationRuleKeyCondition<Operator, Value> extends EvaluationRuleCondition<Operator, Value> {
  key: string
}

export type DateTimeEvaluationRuleFilter = EvaluationRuleCondition<EvaluationRuleNumberFilterOperator, string>
export type StringEvaluationRuleFilter = EvaluationRuleCondition<EvaluationRuleStringFilterOperator, string>
export type NumberEvaluationRuleFilter = EvaluationRuleCondition<EvaluationRuleNumberFilterOperator, number>
export type StringOptionsEvaluationRuleFilter = EvaluationRuleCondition<EvaluationRuleOptionsFilterOperator, string[]>
export type ArrayOptionsEvaluationRuleFilter = EvaluationRuleCondition<
  EvaluationRuleArrayOptionsFilterOperator,
  string[]
>
export type StringObjectEvaluationRuleFilter = EvaluationRuleKeyCondition<EvaluationRuleStringFilterOperator, string>
export type NumberObjectEvaluationRuleFilter = EvaluationRuleKeyCondition<EvaluationRuleNumberFilterOperator, number>
export type CategoryOptionsEvaluationRuleFilter = EvaluationRuleKeyCondition<
  EvaluationRuleOptionsFilterOperator,
  string[]
>
export type BooleanEvaluationRuleFilter = EvaluationRuleCondition<EvaluationRuleBooleanFilterOperator, boolean>

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
export type UpdateEvaluationRuleRequest = ChangesOf<CreateEvaluationRuleRequest>

export type EvaluationRulesPage = CursorPageOf<EvaluationRule>

export interface DeleteEvaluationRuleResponse {
  id: string
}
