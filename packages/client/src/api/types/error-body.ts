export type PublicApiErrorCode =
  | 'authentication_failed'
  | 'access_denied'
  | 'invalid_request'
  | 'invalid_query'
  | 'invalid_body'
  | 'invalid_filter_value'
  | 'invalid_json_path'
  | 'invalid_variable_mapping'
  | 'missing_variable_mapping'
  | 'duplicate_variable_mapping'
  | 'resource_not_found'
  | 'name_conflict'
  | 'evaluator_preflight_failed'
  | 'conflict'
  | 'unprocessable_content'
  | 'rate_limited'
  | 'method_not_allowed'
  | 'internal_error'

export interface PublicApiValidationIssue {
  code: string
  message: string
  path: unknown[]
}

export interface PublicApiErrorDetails {
  issues?: PublicApiValidationIssue[]
  field?: string
  column?: string
  invalidValues?: string[]
  allowedValues?: string[]
  variable?: string
  variables?: string[]
  value?: string
  evaluatorName?: string
  provider?: string | null
  model?: string | null
  retryAfterSeconds?: number
  limit?: number
  remaining?: number
  resetAt?: string
}

/** Body of errors of evaluators, rules, dashboards and skills. */
export interface PublicApiError {
  message: string
  code: PublicApiErrorCode
  details?: PublicApiErrorDetails
}
