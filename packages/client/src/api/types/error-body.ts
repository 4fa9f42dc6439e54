import type { ValueOf } from './pages.ts'

export const PublicApiErrorCode = {
  AuthenticationFailed: 'authentication_failed',
  AccessDenied: 'access_denied',
  InvalidRequest: 'invalid_request',
  InvalidQuery: 'invalid_query',
  InvalidBody: 'invalid_body',
  InvalidFilterValue: 'invalid_filter_value',
  InvalidJsonPath: 'invalid_json_path',
  InvalidVariableMapping: 'invalid_variable_mapping',
  MissingVariableMapping: 'missing_variable_mapping',
  DuplicateVariableMapping: 'duplicate_variable_mapping',
  ResourceNotFound: 'resource_not_found',
  NameConflict: 'name_conflict',
  EvaluatorPreflightFailed: 'evaluator_preflight_failed',
  Conflict: 'conflict',
  UnprocessableContent: 'unprocessable_content',
  RateLimited: 'rate_limited',
  MethodNotAllowed: 'method_not_allowed',
  InternalError: 'internal_error',
} as const
export type PublicApiErrorCode = ValueOf<typeof PublicApiErrorCode>

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

/** Body of error responses of evaluators, rules, dashboards and skills. */
export interface PublicApiError {
  message: string
  code: PublicApiErrorCode
  details?: PublicApiErrorDetails
}
